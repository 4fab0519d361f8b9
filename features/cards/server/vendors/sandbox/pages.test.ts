import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthorizationDecision, Issuer, IssuerCard } from '../port.ts'
import { aSandboxIssuer, rawOf } from '../../testing/sandbox-issuer.ts'
import type { SandboxIssuer } from '../../testing/sandbox-issuer.ts'

let bank: SandboxIssuer
let issuer: Issuer
let card: IssuerCard
let decision: AuthorizationDecision = { approved: true }
let ahead = 0
beforeAll(async () => {
  bank = await aSandboxIssuer({
    wall: () => Date.now() + ahead,
    send: async (_url, headers, body) => {
      const notice = issuer.readNotice(rawOf(headers, body))
      return { status: 200, body: notice?.kind === 'decide' ? String(issuer.answer(decision).body) : 'ok' }
    },
  })
  issuer = bank.issuer()
  const { holderRef } = await issuer.createHolder({
    key: 'holder',
    firstName: 'XIUWEN <b>',
    lastName: 'OUYANG',
    email: 'a@example.com',
    birthDate: '1990-01-01',
    address: { line1: '1 Demo St', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' },
  })
  card = await issuer.createCard({ key: 'card', holderRef, type: 'standard', months: 24, monthlyCeiling: 10_000_000n })
})
afterAll(() => bank.close())

describe('C10: the frame', () => {
  const origin = 'https://platform.example'
  const open = async (theme: 'light' | 'dark' = 'light') => {
    const frame = await issuer.reveal({ cardRef: card.cardRef, origin, lang: 'zh', theme })
    if (frame.form !== 'frame') throw new Error('not a frame')
    return frame
  }
  const look = (url: string, headers: Record<string, string> = { 'sec-fetch-dest': 'iframe' }) => fetch(url, { headers })
  const { number, cvv } = { number: () => bank.secretsOf(card.cardRef).number, cvv: () => bank.secretsOf(card.cardRef).cvv }

  test('shows number, expiry, code and name once, in the one origin, and leaves nothing behind', async () => {
    const { url, expiresAt } = await open('dark')
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(60_000)
    const reply = await look(url)
    const page = await reply.text()
    expect(reply.status).toBe(200)
    expect(page).toContain(number().replace(/(.{4})(?=.)/g, '$1 '))
    expect(page).toContain(`>${cvv()}<`)
    expect(page).toContain('XIUWEN &#60;b&#62; OUYANG')
    expect(page).toContain('color-scheme:dark')
    expect(page).not.toMatch(/localStorage|sessionStorage|document\.cookie|indexedDB/)
    const policy = reply.headers.get('content-security-policy')!
    expect(policy).toContain(`frame-ancestors ${origin}`)
    expect(policy).toContain(`default-src 'none'`)
    expect(policy).not.toContain('unsafe-inline')
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    const again = await look(url)
    expect([again.status, await again.text()]).toEqual([410, '已失效 No longer valid'])
  })

  test.each<[string, Record<string, string>]>([
    ["a script's request", { 'sec-fetch-dest': 'empty' }],
    ['a window', { 'sec-fetch-dest': 'document' }],
    ['an image', { 'sec-fetch-dest': 'image' }],
    ['a request of another origin', { origin: 'https://evil.example' }],
    ['an old script', { 'x-requested-with': 'XMLHttpRequest' }],
  ])('refuses %s, and the nonce is gone with it', async (_, headers) => {
    const { url } = await open()
    const reply = await look(url, headers)
    expect(reply.status).toBe(403)
    expect(await reply.text()).not.toContain(number().slice(0, 4))
    expect((await look(url)).status).toBe(410)
  })

  test('is refused after a minute, with a guessed nonce and for other methods', async () => {
    const { url } = await open()
    ahead = 60_000
    const late = await look(url)
    ahead = 0
    const page = await late.text()
    expect(late.status).toBe(410)
    expect(page).not.toContain(cvv() + '<')
    expect(page).not.toContain(number().slice(0, 4))
    expect((await look(`${bank.url}/frame?nonce=guess`)).status).toBe(410)
    expect((await look(`${bank.url}/frame`)).status).toBe(410)
    const other = await open()
    expect((await fetch(other.url, { method: 'POST' })).status).toBe(405)
    expect((await fetch(other.url, { method: 'HEAD' })).status).toBe(405)
    expect((await look(other.url)).status).toBe(200)
  })

  test('one nonce for fifty at once shows it to one', async () => {
    const { url } = await open()
    const all = await Promise.all(Array.from({ length: 50 }, () => look(url).then(({ status }) => status)))
    expect(all.filter((status) => status === 200)).toHaveLength(1)
  })

  test.each(['*', 'https://a.example https://b.example', 'https://a.example; script-src *', "'none'", 'javascript:x', 'https://a.example/'])(
    'refuses an invalid origin: %s',
    async (bad) => {
      await expect(issuer.reveal({ cardRef: card.cardRef, origin: bad, lang: 'en', theme: 'light' })).rejects.toMatchObject({ refused: 'bad_call' })
    },
  )
})

describe('the shop', () => {
  /** One browser: keeps its cookie, follows nothing. */
  function browser() {
    let cookie = ''
    const go = async (path: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
      const reply = await fetch(bank.url + path, {
        redirect: 'manual',
        headers: { ...(cookie ? { cookie } : {}), 'accept-language': 'en', ...headers },
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      })
      cookie ||= reply.headers.get('set-cookie')?.split(';')[0] ?? ''
      return { status: reply.status, to: reply.headers.get('location') ?? '', text: await reply.text(), headers: reply.headers }
    }
    const details = (over: Record<string, string> = {}) => {
      const { number, cvv } = bank.secretsOf(card.cardRef)
      const expiry = `${String(card.expMonth).padStart(2, '0')}/${String(card.expYear).slice(-2)}`
      return { number, cvv, expiry, postal: '97204', name: 'XIUWEN OUYANG', ...over }
    }
    return {
      go,
      pay: async (shop: string, over: Record<string, string> = {}) => {
        const { to } = await go('/shop/pay', { shop, ...details(over) })
        return { to, ref: /done=(\w+)/.exec(to)?.[1] ?? '' }
      },
      act: (what: string, ref: string, sum = '') => go('/shop/act', { what, ref, sum }).then(({ to }) => to),
    }
  }

  test('every merchant can be paid, and the list offers what comes next', async () => {
    const { go, pay, act } = browser()
    await go('/shop')
    const { ref } = await pay('hotel')
    expect(bank.authorizationOf(ref)).toMatchObject({ approved: true, status: 'pending', heldMinor: 12_000n })
    const page = (await go(`/shop?done=${ref}`)).text
    for (const text of ['APPROVED', 'HOTEL ON RIVINGTON', '$120.00', 'Held']) expect(page).toContain(text)
    await act('increment', ref, '30.00')
    await act('captureMore', ref, '100.00')
    expect(bank.authorizationOf(ref)).toMatchObject({ status: 'pending', heldMinor: 5_000n })
    await act('reverse', ref, '20.00')
    await act('expire', ref)
    await act('capture', ref, '31.00')
    const [first, second] = bank.company.store.byLink('transaction', ref)
    expect([first!.minor, second!.minor]).toEqual([10_000n, 3_100n])
    await act('refund', first!.ref, '40.00')
    const refund = bank.company.store.byLink('transaction', ref).at(-1)!
    expect(refund).toMatchObject({ kind: 'refund', minor: 4_000n })
    await act('reverseRefund', refund.ref)
    expect(bank.company.store.byLink('transaction', ref).at(-1)).toMatchObject({ kind: 'refund_reversal' })
    expect(await act('reverseRefund', refund.ref)).toBe('/shop?problem=gone')
    const dispute = await issuer.openDispute({ key: 'shop', transactionRef: second!.ref, minor: 3_100n, reason: 'other', words: 'no' })
    expect((await go('/shop')).text).toContain('Holder wins')
    await act('lost', dispute.ref)
    expect((await issuer.dispute(dispute.ref)).status).toBe('lost')
  })

  test('a subscription charges each month until it is stopped, or declined twice', async () => {
    const { go, pay, act } = browser()
    await go('/shop')
    await pay('chatgpt')
    const rows = () => bank.company.store.ofCard('transaction', card.cardRef).filter(({ merchant }) => merchant.name.startsWith('OPENAI')).length
    expect(rows()).toBe(1)
    await go('/shop/time', { step: 'month' })
    expect(rows()).toBe(2)
    await go('/shop/time', { step: 'week' })
    await go('/shop/time', { step: 'day' })
    expect(rows()).toBe(2)
    const [running] = bank.company.store.all('subscription')
    await act('stop', running!.ref)
    await go('/shop/time', { step: 'month' })
    expect(rows()).toBe(2)
    await pay('netflix')
    decision = { approved: false, reason: 'insufficient_funds' }
    for (let months = 0; months < 3; months++) await go('/shop/time', { step: 'month' })
    decision = { approved: true }
    expect(bank.company.store.all('subscription')[0]).toMatchObject({ state: 'stopped', declined: 2 })
  })

  test('a merchant abroad asks for the code first; three wrong ones end it', async () => {
    const { go, pay } = browser()
    await go('/shop')
    const { to } = await pay('jetbrains')
    const [, ref] = /^\/shop\/challenge\/(\w+)$/.exec(to)!
    expect((await go(to)).text).toContain('Enter the code')
    expect((await go(to, { code: 'x' })).text).toContain('tries left: 2')
    const done = (await go(to, { code: (await issuer.challenge(ref!))!.code })).to
    const [, made] = /done=(\w+)/.exec(done)!
    expect(bank.authorizationOf(made!)).toMatchObject({ approved: true, local: { currency: 'CZK' } })
    expect((await go(to)).to).toBe('/shop?problem=challengeOver')
    const second = (await pay('test', { sum: '5.00', secure: '1' })).to
    for (let tries = 0; tries < 2; tries++) await go(second, { code: '-' })
    expect((await go(second, { code: '-' })).to).toBe('/shop?problem=challengeOver')
    expect((await browser().go(second)).to).toBe('/shop')
  })

  test('gives the reason of a decline', async () => {
    const { go, pay } = browser()
    await go('/shop')
    const declined = async (over: Record<string, string>) => {
      const { ref } = await pay('test', { sum: '5.00', ...over })
      return bank.authorizationOf(ref).reason
    }
    expect(await declined({ cvv: '999x' })).toBe('wrong_details')
    expect(await declined({ expiry: '01/20' })).toBe('wrong_details')
    expect(await declined({ postal: '10001' })).toBe('wrong_details')
    decision = { approved: false, reason: 'monthly_limit' }
    expect(await declined({ postal: '' })).toBe('monthly_limit')
    decision = { approved: true }
    expect((await pay('test', { sum: '0' })).to).toContain('problem=badSum')
    expect((await pay('test', { sum: '5.00', number: '4000000000000001' })).to).toContain('problem=badNumber')
    expect((await pay('test', { sum: '5.00', number: '4000000000000002' })).to).toContain('problem=noCard')
    expect((await go('/shop?problem=noCard')).text).toContain('No such card.')
    expect((await pay('test', { how: 'verify' })).ref).toMatch(/^auth_/)
    expect((await pay('test', { how: 'force', sum: '3.00' })).ref).toMatch(/^txn_/)
    expect((await pay('test', { how: 'refund', sum: '3.00' })).ref).toMatch(/^txn_/)
  })

  test('a browser neither sees nor changes what was done in another, and another site cannot press its buttons', async () => {
    const [one, other] = [browser(), browser()]
    await one.go('/shop')
    await other.go('/shop')
    const { ref } = await one.pay('hotel')
    expect((await other.go(`/shop?done=${ref}`)).text).not.toContain(ref)
    expect(await other.act('capture', ref, '1.00')).toBe('/shop?problem=gone')
    expect((await one.go('/shop/act', { what: 'expire', ref }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect(bank.authorizationOf(ref).status).toBe('pending')
    const page = await one.go('/shop')
    expect(page.text).toContain(ref)
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`)
    const { number } = bank.secretsOf(card.cardRef)
    expect(page.text).not.toContain(number)
  })

  test('speaks both languages, and shows awkward words as words', async () => {
    const { go } = browser()
    expect((await go('/shop?lang=zh')).text).toContain('沙箱商店')
    expect((await go('/shop?lang=en')).text).toContain('Sandbox shop')
    expect((await go('/shop?problem=%3Cscript%3E&shop=%22%3E%3Cscript%3E&done=%3Cscript%3E')).text).not.toContain('<script')
    expect((await go('/nothing')).status).toBe(404)
    expect((await go('/')).to).toBe('/shop')
  })
})
