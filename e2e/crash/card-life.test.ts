import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_CENT } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { PATIENCE_MS, waitForValue } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aCardOrder } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { aSandboxIssuer } from '#features/cards/server/testing/sandbox-issuer.ts'
import type { SandboxIssuer } from '#features/cards/server/testing/sandbox-issuer.ts'
import { findLeakedNumbers, readPdfText, readRawFiles } from '#features/cards/server/testing/leak-scan.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, readCardBalances, readPostedBalance, systemAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { callPlatform } from '../visitor.ts'

// L6, C1, C2, C4, C6: one card goes through its complete life cycle, and the platform is killed at each point of it. The issuer runs in a
// separate process that survives; its book is the reference.
const LIVES = Number(process.env['CRASH_KILLS'] ?? 1)
const KEY = randomBytes(32)
const INSTALLATION = Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32))
const PIN = '271828'
const POLL = { interval: 50 }
let bank: SandboxIssuer
let server: TestServer
let db: Db
let deps: TestApp['deps']

beforeAll(async () => {
  bank = await aSandboxIssuer({ secretKeys: [INSTALLATION], posts: true, decideWithinMs: PATIENCE_MS })
  const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,card,mail,sms,identity', ...bank.env }
  server = await startTestServer({ roles: 'api,worker', env, crashes: true })
  db = connect(server.databaseUrl, { max: 4 })
  const overrides = { secretKey: INSTALLATION, publicUrl: () => server.baseUrl }
  ;({ deps } = createTestApp({ features: [cards, account, identity], db, env: { ...bank.env }, overrides }))
})
afterAll(async () => {
  await server?.stop()
  await bank?.close()
  await db?.close()
})

/** Runs `act` while the platform is killed at each of these points in turn and restarted each time. */
async function runWithKills(points: readonly string[], act: () => Promise<unknown>): Promise<void> {
  const arm = (point: string | undefined) => point && server.crashAt(`cards.${point}`)
  arm(points[0])
  const done = act().catch(() => undefined)
  for (const n of points.keys()) {
    const killed = server.pid()
    await expect.poll(() => isAlive(killed), POLL).toBe(false)
    // Do not wait for the timeouts of work that the killed process had claimed.
    for (const table of ['cards_cards', 'cards_moves', 'cards_notices', 'cards_disputes', 'cards_authorizations'])
      await db.query(`update ${table} set next_check_at = now() where next_check_at > now()`)
    const next = points[n + 1]
    arm(next)
    // A job may reach the next crash point before the server listens.
    await server.restart().catch((error: unknown) => {
      if (!next || isAlive(server.pid())) throw error
    })
  }
  await done
}

/** Repeats a purchase until it is approved. If a slow machine answers too late, the hold is released before the next try. */
const approvePurchase = (card: string, minor: bigint): Promise<string> =>
  waitForValue(async () => {
    const { approved, ref } = await bank.authorize({ card, minor })
    if (approved) return ref
    await expect.poll(() => db.query('select ref from cards_authorizations where ref = $1 and held > 0', [ref]), POLL).toEqual([])
    return undefined
  }, `an approval of ${minor}`)

const selectCardCents = async (cardId: string) => {
  const [row] = await db.query<{ posted: bigint; held: bigint }>(`select posted, held from wallet_accounts where owner = $1 and kind = 'card'`, [
    `card:${cardId}`,
  ])
  return { posted: Number((row?.posted ?? 0n) / NANO_PER_CENT), held: Number((row?.held ?? 0n) / NANO_PER_CENT) }
}

test(`${LIVES} cards, killed at each point of opening, recharge, withdrawal, deciding, notices, booking, dispute, freezing and closing: both books agree`, async () => {
  for (let life = 0; life < LIVES; life++) await liveThroughKills()
  expect(await db.query(`select posted from wallet_accounts where kind = 'in_transit' and posted <> 0`)).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
  const { total, wrong } = bank.verify()
  expect([total, wrong]).toEqual([0n, []])
  let spent = 0n
  for await (const { kind, minor } of bank.issuer().book(new Date(0), new Date(Date.now() + 86_400_000))) spent += kind === 'refund' ? -minor : minor
  const lent = await db.query<{ n: bigint }>('select coalesce(sum(credited), 0)::bigint as n from cards_disputes')
  expect(await readPostedBalance(db, systemAccount('issuer'))).toBe(spent * NANO_PER_CENT - lent[0]!.n)
})

const CARDS = Number(process.env['CANARIES'] ?? 2)
test(`S1: ${CARDS} cards through every flow and error: no number is in a table, a data file, the write-ahead log, a log line, an answer, a mail or a paper`, async () => {
  const since = new Date(Date.now() - 1000)
  const secrets = new Set<string>()
  const answers: string[] = []
  for (let n = 0; n < CARDS; n++) await leaveTraces(secrets, answers)
  expect(secrets.size).toBe(2 * CARDS)
  const owner = connect(server.databaseUrl, { max: 1, asOwner: true })
  const files = await readRawFiles(owner, since)
  const texts = [
    { name: 'log', text: server.output() },
    { name: 'answers and papers', text: answers.join('\n') },
    { name: 'mails', text: JSON.stringify(await owner.query('select to_jsonb(m) as mail from notices_sandbox_mails m')) },
  ]
  let read = 0
  for (const { name, text } of [...files, ...texts]) {
    read += text.length
    expect([name, findLeakedNumbers(text, secrets)]).toEqual([name, []])
  }
  // checks that the search covered the complete output
  expect(read).toBeGreaterThan(10_000_000)
  expect(server.output()).toContain('listening')
  // each card got its mails and a statement
  expect((await owner.query('select count(distinct recipient)::int as n from notices_sandbox_mails'))[0]!['n']).toBeGreaterThanOrEqual(CARDS)
  expect(answers.filter((text) => text.startsWith('%PDF-'))).toHaveLength(CARDS)
  await owner.close()
})

/** Takes one member and card through reveal, use, refusal, code request, dispute and statement, with an issuer whose answers get lost. */
async function leaveTraces(secrets: Set<string>, answers: string[]): Promise<void> {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  secrets.add((await aReadyHolder(deps, user.userId)).number)
  await aFundedUser(db, { userId: user.userId })
  bank.plan({ calls: ['lost-after', 'error-before'] })
  const id = await aCardOrder(deps, user.userId)
  const card = () => db.query<{ state: string; cardRef: string }>('select state, card_ref from cards_cards where id = $1', [id])
  const soon = () => db.query('update cards_cards set next_check_at = now() where id = $1 and next_check_at > now()', [id])
  await expect.poll(async () => (await soon(), (await card())[0]!.state), POLL).toBe('active')
  const ref = (await card())[0]!.cardRef
  secrets.add(bank.secretsOf(ref).number)
  const ask = async (method: 'GET' | 'POST', path: string, body: object = {}) => {
    const reply = await callPlatform(server, method, { path, input: body, headers: { 'accesstoken': user.token, 'idempotency-key': createId('key') } }).catch(
      String,
    )
    answers.push(JSON.stringify(reply))
    return reply as { code: number; data: any }
  }
  await ask('POST', '/v1/virtualCard/cardRecharge', { cardId: id, amount: '26', channelType: 5, payPassword: PIN })
  await expect.poll(() => selectCardCents(id), POLL).toMatchObject({ posted: 2500 })
  expect((await ask('POST', '/card/cardPrivacyInfo', { id, payPassword: PIN })).code).toBe(200)
  await ask('POST', '/card/cardPrivacyInfo', { id, payPassword: '000000' })
  const bought = await approvePurchase(ref, 700n)
  const taken = bank.capture(bought, 700n)
  bank.refund(taken.ref, 100n)
  await bank.authorize({ card: ref, minor: 99_900n })
  await bank.authorize({ card: ref, minor: 100n, wrongDetails: true })
  bank.challenge({ card: ref, merchant: { name: 'SHOP', city: 'X', country: 'US', mcc: '5734' }, minor: 100n })
  await expect.poll(async () => (await ask('GET', '/card/challenges')).data.rowList.length, POLL).toBe(1)
  await expect.poll(async () => (await db.query(`select 1 from cards_bills where card_id = $1 and kind = 'refund'`, [id])).length, POLL).toBe(1)
  const BOUGHT = `select id from cards_bills where card_id = $1 and kind = 'purchase' and state = 'success'`
  const bill = await waitForValue(async () => (await db.query<{ id: string }>(BOUGHT, [id]))[0], 'the purchase in the bills')
  await ask('POST', '/card/dispute', { billId: bill.id, reason: 'other', words: 'I have never bought anything there at all.' })
  for (const path of ['/card/list', '/user/info', '/account/identity/formData', '/card/getOpenAccountInvoice']) await ask('GET', path)
  const month = toShanghaiDay(new Date()).slice(0, 7)
  for (const path of [`/card/applyMonthlyStatementInvoice?month=${month}&cardId=${id}`, '/transaction/csv']) {
    const reply = await fetch(`${server.baseUrl}${path}`, { headers: { accesstoken: user.token, language: 'en' } })
    const bytes = Buffer.from(await reply.arrayBuffer())
    answers.push(bytes.subarray(0, 5).toString() === '%PDF-' ? await readPdfText(bytes) : bytes.toString())
  }
  for (const path of ['/transaction/list', '/transaction/total', '/card/info']) await ask('POST', path, { id, cardId: id })
  await ask('POST', '/card/frozen', { id })
  await ask('POST', '/card/changeCard', { id: 'card_0000000000000000' })
}

async function liveThroughKills(): Promise<void> {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aReadyHolder(deps, user.userId)
  await aFundedUser(db, { userId: user.userId })
  const call = async (path: string, body: object, key = createId('key')) =>
    callPlatform(server, 'POST', { path, input: body, headers: { 'accesstoken': user.token, 'idempotency-key': key } })
  /** Kills the platform during a call; the retried call with the same key has a single effect. */
  const again = async (points: readonly string[], path: string, body: object) => {
    const key = createId('key')
    await runWithKills(points, () => call(path, body, key))
    expect([path, (await call(path, body, key)).code]).toEqual([path, 200])
  }
  const balance = async () => (await readBalance(db, user.userId)).posted / NANO_PER_CENT

  const made = bank.company.store.all('card', 1000).length
  let id = ''
  await runWithKills(['open-before-call', 'open-after-call', 'open-before-commit'], async () => {
    id = await aCardOrder(deps, user.userId)
  })
  const row = async () => (await db.query<{ state: string; cardRef: string }>('select state, card_ref from cards_cards where id = $1', [id]))[0]!
  await expect.poll(async () => (await row()).state, POLL).toBe('active')
  expect(bank.company.store.all('card', 1000)).toHaveLength(made + 1)
  const ref = (await row()).cardRef
  const comesTo = (posted: number, held = 0) => expect.poll(() => selectCardCents(id), POLL).toEqual({ posted, held })
  const approved = (minor: bigint) => approvePurchase(ref, minor)

  const recharge = { cardId: id, amount: '51', channelType: 5, payPassword: PIN }
  await again(['recharge-before-commit'], '/v1/virtualCard/cardRecharge', { ...recharge, amount: '26' })
  await comesTo(2500)
  await again(['load-before-call', 'load-after-call', 'move-before-commit'], '/v1/virtualCard/cardRecharge', { ...recharge, amount: '25' })
  await comesTo(5000)
  await again(['off-before-commit'], '/v1/virtualCard/cardWithdrawal', { cardId: id, amount: '5', payPassword: PIN })
  await comesTo(4500)
  expect([bank.balanceOf(ref), await balance()]).toEqual([4500n, 5400n])

  // Without a reply the issuer declines, and no hold remains.
  let unanswered: Awaited<ReturnType<typeof bank.authorize>> | undefined
  await runWithKills(['decide-before-commit'], async () => {
    unanswered = await bank.authorize({ card: ref, minor: 700n })
  })
  expect(unanswered).toMatchObject({ approved: false, reason: 'no_answer' })
  await comesTo(4500)

  // Killed before and after a webhook is stored, at each step of its processing, and while a capture is booked.
  let bought = ''
  await runWithKills(['before-notice', 'notice-before-ack', 'before-converge', 'converge-before-commit'], async () => {
    bought = await approved(200n)
  })
  // On a slow machine the restarts take longer than one wait for an approval.
  bought ||= await approved(200n)
  await comesTo(4500, 200)
  await runWithKills(['before-book', 'book-before-commit'], async () => bank.capture(bought, 200n))
  await comesTo(4300)

  // Disputes a charge: submitted once, credited once, and reversed.
  const [bill] = await db.query<{ id: string }>(`select id from cards_bills where card_id = $1 and kind = 'purchase' and state = 'success'`, [id])
  await again(['dispute-before-call', 'dispute-after-call', 'dispute-before-commit'], '/card/dispute', {
    billId: bill!.id,
    reason: 'fraudulent',
    words: 'I have never bought anything there at all.',
  })
  await expect.poll(() => db.query('select state from cards_disputes where card_id = $1', [id]), POLL).toEqual([{ state: 'submitted' }])
  const [dispute, ...more] = bank.company.store.ofCard('dispute', ref)
  expect(more).toEqual([])
  bank.settleDispute(dispute!.ref, 'lost')
  await comesTo(4300)

  const [letGo, late] = [await approved(200n), await approved(200n)]
  await again(['freeze-before-commit'], '/card/frozen', { id })
  expect((await bank.authorize({ card: ref, minor: 100n })).approved).toBe(false)
  const there = async () => (await bank.issuer().card(ref)).state
  await expect.poll(there, POLL).toBe('frozen')
  await again(['state-before-call', 'state-after-call'], '/card/unFrozen', { id })
  await expect.poll(there, POLL).toBe('active')
  await comesTo(4300, 400)

  // Closes the card with two open charges: one is reversed at a cost of one dollar, one is captured above its hold.
  await again(['end-before-commit'], '/card/close', { id, reason: 'user', payPassword: PIN })
  bank.reverse(letGo)
  await runWithKills(['close-before-commit'], async () => bank.capture(late, 250n))
  await expect.poll(async () => (await row()).state, POLL).toBe('closed')
  expect(await selectCardCents(id)).toEqual({ posted: 0, held: 0 })
  // We absorb the dollar for the reversed charge, which stays at the issuer. If the balance was returned before the second charge exceeded
  // its hold, the issuer took the excess from that dollar, and the member's balance pays it as the card's debt.
  const owed = async () => (await readCardBalances(db, [id])).get(id)!.owed / NANO_PER_CENT
  await expect.poll(async () => (await balance()) - (await owed()), POLL).toBe(5400n + 4500n - 200n - 250n - 100n)
  expect([100n, 50n]).toContain(bank.balanceOf(ref))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
