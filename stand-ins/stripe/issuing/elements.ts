import { randomUUID } from 'node:crypto'

/** Card data that Stripe's browser script may show. */
export interface FakeCardDisplay {
  readonly issuingCardNumberDisplay: string
  readonly issuingCardExpiryDisplay: string
  readonly issuingCardCvcDisplay: string
}

const ORIGIN = 'https://js.stripe.com'

/**
 * Fake of Stripe's Issuing Elements (https://docs.stripe.com/issuing/elements): a script that makes nonces and mounts frames, each of which
 * shows one field if nonce, card and ephemeral key belong together. `answer` is the host's response to one of its own URLs.
 */
export function createFakeElements(cardRef: string, shown: FakeCardDisplay) {
  const nonces = new Map<string, string>()
  const keys = new Map<string, string>()
  return {
    script: `${ORIGIN}/v3/`,
    /** Creates an ephemeral key, as the holder of the secret key would; valid with this nonce alone. */
    keyFor: (nonce: string): string => {
      const key = `ek_test_${randomUUID()}`
      if (nonces.has(nonce)) keys.set(key, nonce)
      return key
    },
    answer: (address: string): { contentType: string; body: string } => {
      const { pathname, searchParams } = new URL(address)
      if (pathname === '/v3/') return { contentType: 'text/javascript', body: SCRIPT }
      const [card, nonce, key] = [searchParams.get('card') ?? '', searchParams.get('nonce') ?? '', searchParams.get('key') ?? '']
      if (pathname === '/nonce') {
        const made = randomUUID()
        if (card === cardRef) nonces.set(made, card)
        return { contentType: 'application/json', body: JSON.stringify(card === cardRef ? { nonce: made } : { error: { message: 'No such card' } }) }
      }
      const type = searchParams.get('type') as keyof FakeCardDisplay | 'issuingCardCopyButton'
      const isRight = card === cardRef && nonces.has(nonce) && keys.get(key) === nonce
      const text = type === 'issuingCardCopyButton' ? 'copy' : isRight ? shown[type] : 'refused'
      return { contentType: 'text/html', body: `<!doctype html><html lang="en"><title>${type}</title><p>${text}</p></html>` }
    },
  }
}

const SCRIPT = `window.Stripe = (publishableKey) => ({
  createEphemeralKeyNonce: async ({ issuingCard }) => (await fetch('${ORIGIN}/nonce?card=' + issuingCard)).json(),
  elements: () => ({
    create(type, { issuingCard = '', nonce = '', ephemeralKeySecret = '' }) {
      if (!publishableKey.startsWith('pk_')) throw new Error('Invalid API Key')
      const frame = document.createElement('iframe')
      const heard = { ready: () => {} }
      frame.title = type
      frame.style.cssText = 'border:0;width:100%;height:24px'
      frame.src = '${ORIGIN}/inner?' + new URLSearchParams({ type, card: issuingCard, nonce, key: ephemeralKeySecret })
      frame.onload = () => heard.ready()
      return { mount: (at) => at.append(frame), destroy: () => frame.remove(), on: (event, listener) => { heard[event] = listener } }
    },
  }),
})`
