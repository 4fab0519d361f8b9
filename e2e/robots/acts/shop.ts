import { ensurePin } from './signing-up.ts'
import type { Robot } from './act.ts'

export interface FrameDigits {
  readonly number: string
  readonly expiry: string
  readonly cvv: string
}

/** Reads the issuer's frame after the payment password; returns the refusal if the frame shows nothing. */
export async function readIssuerFrame(robot: Robot, id: string): Promise<FrameDigits | string> {
  await ensurePin(robot)
  const { code, msg, data } = await robot.client.post('/card/cardPrivacyInfo', { id, payPassword: robot.person.pin })
  if (code !== 200) return msg
  const frame = await robot.client.fetch(data.url, { headers: { 'sec-fetch-dest': 'iframe' } })
  const shown = await frame.text()
  const value = (): string[] => [...shown.matchAll(/class="value"[^>]*>([^<]*)</g)].map(([, text]) => text!)
  const [number = '', expiry = '', cvv = ''] = value()
  if (!/^[\d ]{19}$/.test(number)) robot.report({ rule: 'the revealed card', subject: id, seen: `${frame.status} without a number`, expected: 'a number' })
  return { number: number.replaceAll(' ', ''), expiry, cvv }
}

interface Purchase extends FrameDigits {
  readonly sum: string
  readonly how: string
  readonly postal: string
}

/** One purchase at the sandbox's shop. `why`: the issuer's reason for a decline. */
export async function buyAtSandboxShop({ client, product }: Robot, purchase: Purchase): Promise<{ word: string; why: string }> {
  const front = await client.fetch('/sandbox/shop')
  const shop = new URL(front.headers.get('location') ?? '/shop', front.url)
  const visit = crypto.randomUUID()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'cookie': `shop-visit=${visit}` }
  const reply = await client.fetch(new URL('/shop/pay', shop).href, { method: 'POST', headers, body: new URLSearchParams({ shop: 'test', ...purchase }) })
  const to = reply.headers.get('location') ?? ''
  const ref = new URL(to, shop).searchParams.get('done')
  if (!ref) return { word: to.includes('challenge') ? 'asked for a code' : 'not taken', why: new URL(to, shop).searchParams.get('problem') ?? '' }
  const row = product.issuer.prepare('select body from objects where ref = ?').get(ref) as { body: string } | undefined
  const { reason = '' } = JSON.parse(row?.body ?? '{}') as { reason?: string }
  return { word: reason ? 'declined' : 'approved', why: reason }
}
