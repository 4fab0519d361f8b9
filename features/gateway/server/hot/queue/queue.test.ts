import type { Socket } from 'node:net'
import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, callLab, sleep, waitForCondition } from '../testing/lab.ts'
import type { LabAnswer } from '../testing/lab.ts'
import { OK_RESPONSE, openRouteLab } from '../testing/route-lab.ts'
import type { RouteLab } from '../testing/route-lab.ts'
import { setGateLimits, createGate, enterGate, hasRoom, hasFreeSlot } from '../choice/gate.ts'
import { hasGateQueue } from './queue.ts'

let lab: RouteLab
afterEach(() => lab.close())

const callAs = (account: number, more: object = {}) =>
  callLab(lab as never, { headers: { authorization: `Bearer ${account}` }, body: { ...CHAT_REQUEST, ...more } })
const getLabGate = (n = 0) => lab.served[n]!.upstream.gate!
/** The upstream answers when the test releases it. */
const deferAnswers = (n = 0): { accounts: string[]; answer: () => void } => {
  const open: Socket[] = []
  const accounts: string[] = []
  lab.served[n]!.fake.answer = (seen, socket) => {
    accounts.push((JSON.parse(seen.body) as { user?: string }).user ?? '')
    open.push(socket)
  }
  return { accounts, answer: () => open.shift()!.write(OK_RESPONSE) }
}
const callAsAccount = (account: number) => callAs(account, { user: String(account) })

describe('room', () => {
  it('no more calls run at once than the upstream takes, and all are served', async () => {
    lab = await openRouteLab(1, { limits: () => ({ concurrent: 3 }) })
    let most = 0
    let seen = 0
    const open: Socket[] = []
    // when full, or when no further call is to arrive, answers the first a moment later: one too many would arrive meanwhile
    const answerOne = () => open.shift()?.write(OK_RESPONSE)
    lab.served[0]!.fake.answer = (_seen, socket) => {
      most = Math.max(most, open.push(socket))
      if (++seen === 30) setTimeout(() => [1, 2, 3].forEach(answerOne), 5)
      else if (open.length >= 3) setTimeout(answerOne, 5)
    }
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => callAsAccount(i % 4)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(30).fill(200))
    expect(most).toBe(3)
    expect(getLabGate().active).toBe(0)
    expect(hasGateQueue(getLabGate())).toBe(false)
  })

  it('no sixty seconds hold more calls than the upstream takes a minute', () => {
    const limits = { concurrent: undefined, perMinute: 3, queueLength: 1, queueMs: 1 }
    const one = createGate('x', limits)
    for (const now of [1_000_000, 1_000_010, 1_000_020]) {
      expect(hasFreeSlot(one, now)).toBe(true)
      enterGate(one, now)
    }
    expect(hasFreeSlot(one, 1_059_999)).toBe(false)
    expect(hasFreeSlot(one, 1_060_000)).toBe(true)
    enterGate(one, 1_060_000)
    expect(hasFreeSlot(one, 1_060_009)).toBe(false)
    // A change of limits keeps the calls counted in the last minute.
    setGateLimits(one, { ...limits, perMinute: 4 })
    expect(hasFreeSlot(one, 1_060_009)).toBe(true)
    enterGate(one, 1_060_009)
    expect(hasFreeSlot(one, 1_060_009)).toBe(false)
    setGateLimits(one, { ...limits, perMinute: 1 })
    expect(hasFreeSlot(one, 1_060_070)).toBe(false)
    expect(hasFreeSlot(one, 1_120_009)).toBe(true)
  })

  it('a new call does not overtake waiting ones, even while there is room for a moment', () => {
    const one = createGate('x', { concurrent: 2, perMinute: undefined, queueLength: 1, queueMs: 1 })
    one.waiting = 1
    expect([hasFreeSlot(one, 1), hasRoom(one, 1)]).toEqual([true, false])
  })

  it('a call whose promise of money fails while it waits is never dialled', async () => {
    lab = await openRouteLab(1, { limits: () => ({ concurrent: 1 }) })
    const upstream = deferAnswers()
    const first = callAsAccount(1)
    await waitForCondition(() => upstream.accounts.length === 1)
    let failPromise: (error: Error) => void = () => undefined
    lab.journal.reserveWith = () => new Promise((_, reject) => (failPromise = reject))
    const second = callAsAccount(2)
    await waitForCondition(() => getLabGate().waiting === 1)
    failPromise(new Error('no disk'))
    expect((await second).status).toBe(503)
    expect(getLabGate().waiting).toBe(0)
    upstream.answer()
    expect((await first).status).toBe(200)
    await sleep(60)
    expect(lab.counts()).toEqual([1])
  })

  it('an upstream without room is passed over for one that has it', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }), limits: (n) => (n === 0 ? { concurrent: 1 } : undefined) })
    const first = deferAnswers()
    const held = callAsAccount(1)
    await waitForCondition(() => first.accounts.length === 1)
    expect((await callAsAccount(2)).status).toBe(200)
    expect(lab.counts()).toEqual([1, 1])
    first.answer()
    expect((await held).status).toBe(200)
  })

  it('a call that waits for two upstreams goes to the one that is free first', async () => {
    lab = await openRouteLab(2, { limits: () => ({ concurrent: 1 }) })
    const [a, b] = [deferAnswers(0), deferAnswers(1)]
    const calls = [callAsAccount(1), callAsAccount(2), callAsAccount(3)]
    await waitForCondition(() => a.accounts.length + b.accounts.length === 2 && getLabGate(0).waiting === 1 && getLabGate(1).waiting === 1)
    b.answer()
    await waitForCondition(() => b.accounts.length === 2)
    expect([getLabGate(0).waiting, getLabGate(1).waiting]).toEqual([0, 0])
    a.answer()
    b.answer()
    for (const one of calls) expect((await one).status).toBe(200)
  })
})

describe('turns', () => {
  it("one account with 100 waiting delays another's call by one turn", async () => {
    lab = await openRouteLab(1, { limits: () => ({ concurrent: 1, queueLength: 1_000, queueMs: 60_000 }) })
    const upstream = deferAnswers()
    const calls: Promise<LabAnswer>[] = []
    for (let i = 0; i < 101; i++) calls.push(callAsAccount(1))
    await waitForCondition(() => getLabGate().waiting === 100)
    calls.push(callAsAccount(2))
    await waitForCondition(() => getLabGate().waiting === 101)
    for (let n = 1; n <= 3; n++) {
      upstream.answer()
      await waitForCondition(() => upstream.accounts.length === n + 1)
    }
    // The account already in line has its turn, then the newcomer, regardless of how many calls are behind it.
    expect(upstream.accounts).toEqual(['1', '1', '2', '1'])
    for (let n = 4; n < 102; n++) {
      upstream.answer()
      await waitForCondition(() => upstream.accounts.length === n + 1)
    }
    upstream.answer()
    expect((await Promise.all(calls)).every((answer) => answer.status === 200)).toBe(true)
    expect(lab.journal.settled).toHaveLength(102)
  })

  it('a full queue drops the newest call of the account with the most in it: 429, nothing charged', async () => {
    lab = await openRouteLab(1, { limits: () => ({ concurrent: 1, queueLength: 4 }) })
    const upstream = deferAnswers()
    const own = [callAsAccount(1), callAsAccount(1), callAsAccount(1), callAsAccount(1), callAsAccount(1)]
    await waitForCondition(() => getLabGate().waiting === 4)
    const refused = await callAsAccount(1)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('1')
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    // Refused before any money was set aside.
    expect(lab.journal.reserved).toHaveLength(5)
    const other = callAsAccount(2)
    await waitForCondition(() => lab.journal.released.length === 1)
    for (let n = 0; n < 5; n++) {
      upstream.answer()
      if (n < 4) await waitForCondition(() => upstream.accounts.length === n + 2)
    }
    expect((await other).status).toBe(200)
    const statuses = (await Promise.all(own)).map((answer) => answer.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(4)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  it.each([
    ['/v1/chat/completions', 503],
    ['/v1/messages', 529],
    ['/v1beta/models/m:generateContent', 503],
  ])('%s: a call that waits too long is refused in its own shape, and costs nothing', async (path, status) => {
    lab = await openRouteLab(1, { limits: () => ({ concurrent: 1, queueMs: 80 }) })
    deferAnswers()
    void callAsAccount(9).catch(() => undefined)
    await waitForCondition(() => lab.counts()[0] === 1)
    const wait = (account: number) => callLab(lab as never, { path, headers: { authorization: `Bearer ${account}` }, body: { ...CHAT_REQUEST, contents: [] } })
    const answers = await Promise.all([wait(1), wait(2), wait(3)])
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status])
    expect(lab.journal.released).toHaveLength(3)
    expect(lab.journal.settled).toHaveLength(0)
    expect(lab.counts()[0]).toBe(1)
  })

  it('a client that leaves gives up its place, and its money comes back', async () => {
    lab = await openRouteLab(1, { limits: () => ({ concurrent: 1, queueMs: 60_000 }) })
    const upstream = deferAnswers()
    const first = callAsAccount(1)
    await waitForCondition(() => upstream.accounts.length === 1)
    const leaving = aLeavingClient()
    await waitForCondition(() => getLabGate().waiting === 1)
    leaving.destroy()
    await waitForCondition(() => getLabGate().waiting === 0 && lab.journal.released.length === 1)
    expect(lab.journal.released[0]).toMatchObject({ outcome: 'client_gone', status: 499 })
    upstream.answer()
    expect((await first).status).toBe(200)
    await sleep(20)
    expect(lab.counts()).toEqual([1])
    expect(getLabGate().active).toBe(0)
  })

  it('an upstream that is drained sends its queue elsewhere', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }), limits: () => ({ concurrent: 1 }) })
    const [a, b] = [deferAnswers(0), deferAnswers(1)]
    const calls = [callAsAccount(1), callAsAccount(1), callAsAccount(1)]
    await waitForCondition(() => getLabGate(0).waiting === 1 && a.accounts.length + b.accounts.length === 2)
    lab.served[0]!.upstream.draining = true
    getLabGate(0).closed = true
    b.answer()
    await waitForCondition(() => b.accounts.length === 2)
    a.answer()
    b.answer()
    expect((await Promise.all(calls)).map((answer) => answer.status)).toEqual([200, 200, 200])
    expect(lab.counts()).toEqual([1, 2])
  })

  it('failing over takes a place at the second upstream, and gives both back', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }), limits: () => ({ concurrent: 2 }) })
    lab.served[0]!.fake.answer = (_seen, socket) => socket.destroy()
    const upstream = deferAnswers(1)
    const calls = [callAsAccount(1), callAsAccount(1)]
    await waitForCondition(() => upstream.accounts.length === 2)
    expect([getLabGate(0).active, getLabGate(1).active]).toEqual([0, 2])
    upstream.answer()
    upstream.answer()
    await Promise.all(calls)
    expect(getLabGate(1).active).toBe(0)
  })
})

function aLeavingClient(): ClientRequest {
  const body = JSON.stringify({ ...CHAT_REQUEST, user: '2' })
  const req = request({
    port: lab.port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/v1/chat/completions',
    agent: false,
    headers: { 'authorization': 'Bearer 2', 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  })
  req.on('error', () => undefined)
  req.end(body)
  return req
}
