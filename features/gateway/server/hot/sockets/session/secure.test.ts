import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeSockets, hold, REALTIME } from '../../testing/held-session.ts'
import type { Held } from '../../testing/held-session.ts'
import { until } from '../../testing/lab.ts'
import { realtimeProtocol } from '../realtime.ts'
import { nextNeed, slice } from './secure.ts'

/** Money set aside for responses of a session that is open. */
afterEach(closeSockets)

const LID = 4_096
let held: Held
/** The account has so much, beyond what is promised already. */
const has = (left: bigint): void => {
  held.fake.deps.journal.admit = (_key, amount) => {
    if (amount > left) return 'insufficient_balance'
    left -= amount
    return { leaseId: 1n }
  }
}
const say = (frame: object): void => held.client.send(JSON.stringify(frame))
const speak = (): void => say({ type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) })

beforeEach(async () => {
  held = await hold((fake) => realtimeProtocol(fake.deps))
  held.vendor.send(JSON.stringify({ type: 'session.updated', session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcm' } } } } }))
  await until(() => held.client.heard.length === 1)
})

describe('there is not enough money for two responses at full length', () => {
  test('what was said before the vendor was limited may be answered at full length', async () => {
    const { talk, vendor } = held
    Object.assign(talk.model, { maxOutputTokens: 32_000 })
    speak()
    await until(() => vendor.heard.length === 1)
    expect(talk.stake.total).toBe(nextNeed(talk, slice(talk)))
    has(0n)
    speak()
    await until(() => talk.waiting.length > 0)
    expect([talk.lid, vendor.heard.length]).toEqual([LID, 1])
    // the first has been answered: its money is a response's own, and what is left pays for a limited one
    has(nextNeed(talk, LID))
    vendor.send(JSON.stringify(REALTIME.begin))
    await until(() => vendor.heard.some((frame) => frame.includes(`"max_output_tokens":${LID}`)) && vendor.heard.at(-1)!.includes('append'))
  })
})

describe('this process was declared dead', () => {
  test('nothing new is said on money of a lost lease; what the vendor answers is charged to it', async () => {
    const { fake, talk, client, vendor } = held
    speak()
    await until(() => vendor.heard.length === 1)
    fake.journal.lost.add(1n)
    speak()
    await until(() => talk.ending === 'unavailable')
    expect(vendor.heard).toHaveLength(1)
    for (const frame of [REALTIME.begin, REALTIME.end]) vendor.send(JSON.stringify(frame))
    await until(() => fake.journal.settled.length === 1)
    expect(fake.journal.reserved.map(({ leaseId }) => leaseId)).toEqual([1n])
    talk.stirredAt = 0
    held.session.look(Date.now())
    await until(() => client.closed !== undefined)
  })
})
