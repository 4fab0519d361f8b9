import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeSockets, openHeldSession, REALTIME_FRAMES } from '../../testing/held-session.ts'
import type { HeldSession } from '../../testing/held-session.ts'
import { waitForCondition } from '../../testing/lab.ts'
import { createRealtimeProtocol } from '../realtime.ts'
import { computeNextCost, computeNextOutput, computeCoveredOutput } from './secure.ts'

/** Sets money aside for responses of an open session. */
afterEach(closeSockets)

const LID = 4_096
let held: HeldSession
/** Sets the account's balance to `left`, beyond its promised money. */
const setAvailable = (left: bigint): void => {
  held.fake.deps.journal.admit = (_key, amount) => {
    if (amount > left) return 'insufficient_balance'
    left -= amount
    return { leaseId: 1n }
  }
}
const sendClientFrame = (frame: object): void => held.client.send(JSON.stringify(frame))
const sendSpeech = (): void => sendClientFrame({ type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) })

beforeEach(async () => {
  held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
  held.vendor.send(JSON.stringify({ type: 'session.updated', session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcm' } } } } }))
  await waitForCondition(() => held.client.heard.length === 1)
})

describe('there is not enough money for two responses at full length', () => {
  test('speech from before the vendor was limited may be answered at full length', async () => {
    const { talk, vendor } = held
    Object.assign(talk.model, { maxOutputTokens: 32_000 })
    sendSpeech()
    await waitForCondition(() => vendor.heard.length === 1)
    expect(talk.stake.total).toBe(computeNextCost(talk, computeCoveredOutput(talk)))
    setAvailable(0n)
    sendSpeech()
    await waitForCondition(() => talk.waiting.length > 0)
    expect([talk.lid, vendor.heard.length]).toEqual([LID, 1])
    // the first response is answered with its own money, and the remainder pays for a limited one
    vendor.send(JSON.stringify(REALTIME_FRAMES.begin))
    await waitForCondition(() => talk.running.size === 1)
    expect(talk.running.get('resp_1')!.covered).toBe(32_000)
    setAvailable(computeNextCost(talk, LID))
    held.session.look(Date.now())
    await waitForCondition(() => vendor.heard.some((frame) => frame.includes(`"max_output_tokens":${LID}`)) && vendor.heard.at(-1)!.includes('append'))
  })
})

describe('speech while a response is being settled', () => {
  test('has that response as its input', async () => {
    const { fake, talk, vendor } = held
    let written = (): void => undefined
    fake.deps.journal.settle = () => new Promise<void>((done) => (written = done))
    vendor.send(JSON.stringify(REALTIME_FRAMES.begin))
    const { usage } = REALTIME_FRAMES.end.response
    const details = { output_token_details: { text_tokens: 0, audio_tokens: 4_096 }, output_tokens: 4_096, total_tokens: 4_116 }
    vendor.send(JSON.stringify({ ...REALTIME_FRAMES.end, response: { ...REALTIME_FRAMES.end.response, usage: { ...usage, ...details } } }))
    await waitForCondition(() => talk.running.size === 0 && talk.load.audio > 0)
    expect(talk.load).toEqual({ text: 20, audio: 4_096, image: 0 })
    written()
  })
})

describe('an answer is asked for while speech may be answered', () => {
  const asks = (cap: number): void => sendClientFrame({ type: 'response.create', response: { max_output_tokens: cap } })

  test('money is set aside for both, and the promise takes no more than its own', async () => {
    const { talk, vendor } = held
    await talk.stake.raise(10n * computeNextCost(talk, computeCoveredOutput(talk)))
    const before = talk.stake.total
    sendSpeech()
    await waitForCondition(() => vendor.heard.length === 1)
    asks(computeCoveredOutput(talk))
    await waitForCondition(() => talk.asked !== undefined)
    const { held: promised } = talk.asked!.taken
    expect(talk.stake.total).toBe(before - promised)
    expect(promised).toBeLessThan(before / 5n)
  })

  test('either may begin first: both are covered for the longer one', async () => {
    const { talk, vendor } = held
    Object.assign(talk.model, { maxOutputTokens: 32_000 })
    vendor.send(JSON.stringify({ type: 'session.updated', session: { type: 'realtime', max_output_tokens: 1 } }))
    await waitForCondition(() => computeCoveredOutput(talk) === 1)
    sendSpeech()
    await waitForCondition(() => vendor.heard.length === 1)
    asks(32_000)
    await waitForCondition(() => talk.asked !== undefined)
    expect([talk.asked!.covered, computeNextOutput(talk)]).toEqual([32_000, 32_000])
    expect(talk.stake.total).toBeGreaterThanOrEqual(computeNextCost(talk, 32_000))
    vendor.send(JSON.stringify(REALTIME_FRAMES.begin))
    await waitForCondition(() => talk.running.size === 1)
    vendor.send(JSON.stringify({ ...REALTIME_FRAMES.begin, response: { id: 'other' } }))
    await waitForCondition(() => talk.running.size === 2)
    expect([...talk.running.values()].map(({ covered }) => covered)).toEqual([32_000, 32_000])
  })

  test('speech from before the vendor was limited may take the place of the answer', async () => {
    const { talk, vendor } = held
    Object.assign(talk.model, { maxOutputTokens: 32_000 })
    sendSpeech()
    await waitForCondition(() => vendor.heard.length === 1)
    Object.assign(talk, { lid: LID, lidAt: Date.now() })
    sendClientFrame({ type: 'response.create' })
    await waitForCondition(() => talk.asked !== undefined)
    expect(talk.asked!.covered).toBe(32_000)
    expect(talk.stake.total).toBeGreaterThanOrEqual(computeNextCost(talk, 32_000))
  })
})

describe('this process was declared dead', () => {
  test('no new speech is forwarded on a lost lease; the vendor’s answer is charged to it', async () => {
    const { fake, talk, client, vendor } = held
    sendSpeech()
    await waitForCondition(() => vendor.heard.length === 1)
    fake.journal.lost.add(1n)
    sendSpeech()
    await waitForCondition(() => talk.ending === 'unavailable')
    expect(vendor.heard).toHaveLength(1)
    for (const frame of [REALTIME_FRAMES.begin, REALTIME_FRAMES.end]) vendor.send(JSON.stringify(frame))
    await waitForCondition(() => fake.journal.settled.length === 1)
    expect(fake.journal.reserved.map(({ leaseId }) => leaseId)).toEqual([1n])
    talk.stirredAt = 0
    held.session.look(Date.now())
    await waitForCondition(() => client.closed !== undefined)
  })
})
