import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatHttpJson } from '../testing/fake-upstream.ts'
import { CHAT_REQUEST, callLab, waitForCondition } from '../testing/lab.ts'
import { OK_RESPONSE, openRouteLab } from '../testing/route-lab.ts'
import type { RouteLab } from '../testing/route-lab.ts'

let lab: RouteLab
afterEach(async () => {
  vi.useRealTimers()
  await lab.close()
})

const callAsUser = (user: string, more: object = {}) => callLab(lab as never, { body: { ...CHAT_REQUEST, user, ...more } })
const answerWithError = (n: number, status: number, headers = ''): void => {
  lab.served[n]!.fake.answer = (_seen, socket) => {
    socket.write(formatHttpJson({ error: { message: 'x', type: 'server_error', code: null } }, status, headers))
  }
}
const answerWithSuccess = (n: number): void => {
  lab.served[n]!.fake.answer = (_seen, socket) => {
    socket.write(OK_RESPONSE)
  }
}
/** Fakes only the clock of breakers; sockets keep theirs. */
const advanceClock = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms)
}

describe('choosing', () => {
  it('the same session always goes to the same upstream, different ones to all of them', async () => {
    lab = await openRouteLab(3)
    for (let user = 0; user < 30; user++) for (let turn = 0; turn < 2; turn++) await callAsUser(`user-${user}`)
    const counts = lab.counts()
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(counts.every((n) => n % 2 === 0)).toBe(true)
  })

  it('a conversation stays where its prefix is, as it grows', async () => {
    lab = await openRouteLab(3)
    for (let i = 0; i < 8; i++) {
      const messages = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: `Question ${i}` },
      ]
      const before = lab.counts()
      await callLab(lab as never, { body: { ...CHAT_REQUEST, messages } })
      const where = lab.counts().findIndex((n, at) => n > before[at]!)
      messages.push({ role: 'assistant', content: 'Yes.' }, { role: 'user', content: `More ${i}` })
      await callLab(lab as never, { body: { ...CHAT_REQUEST, messages } })
      expect(lab.counts()[where]).toBe(before[where]! + 2)
    }
    expect(lab.counts().filter((n) => n > 0).length).toBeGreaterThan(1)
  })

  it('a better rank takes all, whatever the weights, until it fails', async () => {
    lab = await openRouteLab(3, { route: (n) => ({ rank: n === 0 ? 0 : 1, weight: n === 0 ? 1 : 100 }) })
    for (let i = 0; i < 10; i++) await callAsUser(`u${i}`)
    expect(lab.counts()).toEqual([10, 0, 0])
    answerWithError(0, 503)
    for (let i = 0; i < 10; i++) expect((await callAsUser(`u${i}`)).status).toBe(200)
    expect(lab.counts()[1]! + lab.counts()[2]!).toBe(10)
  })

  it('no upstream is asked twice in one request, and the error of the last is shown', async () => {
    lab = await openRouteLab(3, { route: (n) => ({ rank: n }) })
    for (const n of [0, 1, 2]) answerWithError(n, 500 + n)
    expect((await callAsUser('a')).status).toBe(502)
    expect(lab.counts()).toEqual([1, 1, 1])
    expect(lab.journal.released).toHaveLength(1)
    expect(lab.journal.settled).toHaveLength(0)
  })

  it('an upstream that appears in two routes is asked once', async () => {
    lab = await openRouteLab(1)
    const model = lab.models.get('m')!
    lab.models.set('m', { ...model, routes: [model.routes[0]!, { ...model.routes[0]!, rank: 1, upstreamModel: 'other' }] })
    answerWithError(0, 500)
    expect((await callAsUser('a')).status).toBe(502)
    expect(lab.counts()).toEqual([1])
  })

  it('a call is charged once, by the upstream that served it, when another failed first', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    answerWithError(0, 500)
    expect((await callAsUser('a')).status).toBe(200)
    expect(lab.journal.settled.map((call) => call.upstream)).toEqual(['up-b'])
    expect(lab.journal.released).toHaveLength(0)
  })

  it('a request at fault is not tried elsewhere, and counts as an answer', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    for (let i = 0; i < 8; i++) {
      answerWithError(0, i % 5 === 4 ? 400 : 500)
      await callAsUser('a')
    }
    // Never five in a row: the first upstream was dialled each time.
    expect(lab.counts()[0]).toBe(8)
  })

  it('an error text about credit, balance or quota concerns no upstream: only its status and code do', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    const message = 'insufficient credit balance: quota exceeded, billing hard limit, account suspended'
    lab.served[0]!.fake.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ error: { message, type: 'invalid_request_error', code: 'bad_value', param: 'x' } }, 400))
    }
    for (let i = 0; i < 8; i++) expect(await callAsUser('a')).toMatchObject({ status: 400, body: expect.stringContaining(message) })
    answerWithSuccess(0)
    expect((await callAsUser('a')).status).toBe(200)
    expect(lab.counts()).toEqual([9, 0])
  })

  it('a draining upstream takes nothing new', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    lab.served[0]!.upstream.draining = true
    await callAsUser('a')
    expect(lab.counts()).toEqual([0, 1])
  })

  it('only routes that serve the dialect are asked', async () => {
    lab = await openRouteLab(2, { route: (n) => (n === 0 ? { dialects: new Set(['anthropic-messages' as const]) } : { rank: 1 }) })
    await callAsUser('a')
    expect(lab.counts()).toEqual([0, 1])
    await callLab(lab as never, { path: '/v1/messages', body: CHAT_REQUEST })
    expect(lab.counts()).toEqual([1, 1])
  })
})

describe('the end of a model', () => {
  it('every answer carries the deprecation headers, refusals included; a retired model names its successor', async () => {
    const notice = ['deprecation', '@1', 'x-mingxi-successor', 'next']
    lab = await openRouteLab(1, { model: { notice, lifecycle: 'deprecated' } })
    for (const user of ['a', 'b']) {
      const answer = await callAsUser(user)
      expect([answer.status, answer.headers['deprecation'], answer.headers['x-mingxi-successor']]).toEqual([user === 'a' ? 200 : 502, '@1', 'next'])
      answerWithError(0, 500)
    }
    const model = lab.models.get('m')!
    lab.models.set('old', model)
    answerWithSuccess(0)
    expect((await callAsUser('a', { model: 'old' })).status).toBe(200)
    // The upstream receives the name that it uses for the answering model.
    expect(JSON.parse(lab.served[0]!.fake.seen.at(-1)!.body)).toMatchObject({ model: 'm' })
    lab.models.set('gone', { ...model, id: 'gone', lifecycle: 'retired', successor: 'next' })
    const refused = await callAsUser('a', { model: 'gone' })
    expect([refused.status, refused.body.includes('its successor is `next`')]).toEqual([404, true])
  })
})

describe('breakers', () => {
  it('open after failures in a row, let one probe through, and close on its success', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    vi.useFakeTimers({ toFake: ['Date'] })
    answerWithError(0, 500)
    for (let i = 0; i < 9; i++) expect((await callAsUser(`u${i}`)).status).toBe(200)
    expect(lab.counts()).toEqual([5, 9])
    expect(lab.logs).toContain('upstream avoided')
    advanceClock(10_001)
    // Half open: one probe, although many calls arrive at once.
    await Promise.all(Array.from({ length: 6 }, (_, i) => callAsUser(`u${i}`)))
    expect(lab.counts()[0]).toBe(6)
    // The open period doubled.
    advanceClock(10_001)
    await callAsUser('a')
    expect(lab.counts()[0]).toBe(6)
    advanceClock(10_001)
    answerWithSuccess(0)
    await callAsUser('a')
    await callAsUser('b')
    expect(lab.counts()[0]).toBe(8)
    expect(lab.logs).toContain('upstream answers again')
  })

  it('a call refused for lack of money is not used as a probe', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    vi.useFakeTimers({ toFake: ['Date'] })
    answerWithError(0, 500)
    for (let i = 0; i < 5; i++) await callAsUser('a')
    answerWithSuccess(0)
    advanceClock(10_001)
    lab.journal.admitAs = 'insufficient_balance'
    for (let i = 0; i < 3; i++) expect((await callAsUser('a')).status).toBe(429)
    lab.journal.admitAs = { leaseId: 1n }
    await callAsUser('a')
    await callAsUser('a')
    expect(lab.counts()).toEqual([7, 5])
  })

  it('a single 429 with retry-after pauses the upstream for that long', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    vi.useFakeTimers({ toFake: ['Date'] })
    answerWithError(0, 429, 'retry-after: 7\r\n')
    await callAsUser('a')
    answerWithSuccess(0)
    await callAsUser('a')
    expect(lab.counts()).toEqual([1, 2])
    advanceClock(6_900)
    await callAsUser('a')
    expect(lab.counts()[0]).toBe(1)
    advanceClock(200)
    await callAsUser('a')
    expect(lab.counts()).toEqual([2, 3])
  })

  it('a refused credential concerns every model of the upstream, another failure only its own', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    const model = lab.models.get('m')!
    lab.models.set('n', { ...model, id: 'n', routes: model.routes.map((route) => ({ ...route, upstreamModel: 'n' })) })
    answerWithError(0, 500)
    for (let i = 0; i < 5; i++) await callAsUser('a')
    await callAsUser('a', { model: 'n' })
    expect(lab.counts()).toEqual([6, 6])
    answerWithError(0, 401)
    for (let i = 0; i < 5; i++) await callAsUser('a', { model: 'n' })
    expect(lab.counts()[0]).toBe(9)
    lab.models.set('k', { ...model, id: 'k', routes: model.routes.map((route) => ({ ...route, upstreamModel: 'k' })) })
    await callAsUser('a', { model: 'k' })
    expect(lab.counts()[0]).toBe(9)
  })

  it('closed connections open a separate breaker, sooner than 500s do', async () => {
    lab = await openRouteLab(2, { route: (n) => ({ rank: n }) })
    lab.served[0]!.fake.answer = (_seen, socket) => socket.destroy()
    for (let i = 0; i < 5; i++) expect((await callAsUser('a')).status).toBe(200)
    // The client would retry a failed kept connection; these were fresh.
    expect(lab.counts()).toEqual([3, 5])
    await waitForCondition(() => lab.relay.openCalls() === 0)
  })

  it('a silent upstream is left for another after the route’s timeout', async () => {
    lab = await openRouteLab(2, { route: (n) => (n === 0 ? { rank: 0, firstByteMs: 60 } : { rank: 1 }) })
    lab.served[0]!.fake.answer = () => undefined
    for (let i = 0; i < 4; i++) expect((await callAsUser('a', { stream: true })).status).toBe(200)
    expect(lab.counts()).toEqual([3, 4])
    expect(lab.journal.settled.filter(({ provenance }) => provenance === 'held')).toEqual([])
  })

  it('with every upstream failing, each request is still tried once', async () => {
    lab = await openRouteLab(2)
    for (const n of [0, 1]) answerWithError(n, 500)
    for (let i = 0; i < 6; i++) await callAsUser('a')
    const before = lab.counts()[0]! + lab.counts()[1]!
    expect((await callAsUser('a')).status).toBe(502)
    expect(lab.counts()[0]! + lab.counts()[1]!).toBe(before + 1)
    answerWithSuccess(0)
    answerWithSuccess(1)
    expect((await callAsUser('a')).status).toBe(200)
  })
})
