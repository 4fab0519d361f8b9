import type { ElementsInfo } from './reveal-info.ts'

/** The part of Stripe.js that shows a card: https://docs.stripe.com/issuing/elements */
interface IssuingElement {
  mount(at: HTMLElement): void
  destroy(): void
  on(event: 'ready', listener: () => void): void
}
interface StripeBrowser {
  createEphemeralKeyNonce(ask: { issuingCard: string }): Promise<{ nonce?: string; error?: { message?: string } }>
  elements(): { create(type: string, options: object): IssuingElement }
}
type StripeFactory = (publishableKey: string) => StripeBrowser

let loading: Promise<StripeFactory> | undefined
const sessions = new Map<string, { readonly stripe: StripeBrowser; readonly nonce: string }>()

/** Loads Stripe.js when a number is requested, never before; the issuer must be trusted with the number anyway. */
function loadStripe(src: string): Promise<StripeFactory> {
  loading ??= new Promise<StripeFactory>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    script.onload = () => {
      const { Stripe } = globalThis as { Stripe?: StripeFactory }
      if (Stripe) resolve(Stripe)
      else reject(new Error('no Stripe'))
    }
    script.onerror = () => reject(new Error('script'))
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Creates a nonce for one card in this browser; the key issued for it is valid only here. */
export async function createCardNonce({ script, publishableKey, cardRef }: ElementsInfo): Promise<string> {
  const stripe = (await loadStripe(script))(publishableKey)
  const { nonce, error } = await stripe.createEphemeralKeyNonce({ issuingCard: cardRef })
  if (!nonce) throw new Error(error?.message ?? 'nonce')
  sessions.set(cardRef, { stripe, nonce })
  return nonce
}

const PARTS = { number: 'issuingCardNumberDisplay', expiry: 'issuingCardExpiryDisplay', cvc: 'issuingCardCvcDisplay' } as const
export type StripeElementPart = keyof typeof PARTS

/** Mounts one field and its copy button, both Stripe's frames; returns a function that removes them. */
export function mountStripeElement(
  info: ElementsInfo,
  part: StripeElementPart,
  { at, color, ready }: { readonly at: { readonly field: HTMLElement; readonly copy: HTMLElement }; readonly color: string; readonly ready: () => void },
): () => void {
  const made = sessions.get(info.cardRef)
  if (!made) return () => undefined
  const elements = made.stripe.elements()
  const keys = { issuingCard: info.cardRef, nonce: made.nonce, ephemeralKeySecret: info.ephemeralKey }
  const field = elements.create(PARTS[part], { ...keys, style: { base: { color, fontSize: '15px', lineHeight: '24px' } } })
  const copy = elements.create('issuingCardCopyButton', { toCopy: part, style: { base: { fontSize: '13px', lineHeight: '24px' } } })
  field.on('ready', ready)
  field.mount(at.field)
  copy.mount(at.copy)
  return () => {
    field.destroy()
    copy.destroy()
  }
}
