import { expect, test } from 'vitest'
import { audioSeconds } from '#features/gateway/server/hot/media/audio-length.ts'
import { scanForm } from '#features/gateway/server/hot/media/form.ts'
import { textFor } from '#features/gateway/server/vendors/sandbox/read/pattern.ts'
import { readUploadForm } from '#features/identity/server/uploads/read-form.ts'
import { countSteps } from './count-steps.ts'
import { aForm } from './makers/bodies.ts'
import { many } from './makers/maker.ts'
import { sounds } from './makers/sound.ts'
import { mutate } from './mutate.ts'
import { randomOf } from './random.ts'

// A fixed part of what `npm run fuzz` feeds, bounded in executed blocks: some ten milliseconds of a core, whatever the machine is doing.
const MOST_STEPS = 6_000_000
const CASES = Array.from({ length: 4 }, (_, at) => at)

test.each(sounds)('a hostile $name is walked in a bounded number of steps', ({ make }) => {
  for (const at of CASES) {
    const random = randomOf(at)
    const made = make(random)
    for (const bytes of [made, mutate(random, made)]) expect([at, countSteps(() => audioSeconds(bytes, bytes.length)) < MOST_STEPS]).toEqual([at, true])
  }
})

test('tracks and blocks of a recording do not multiply', () => {
  const head = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80])
  const track = Buffer.from([0xae, 0x80])
  const block = Buffer.from([0xa3, 0x85, 0x81, 0, 0, 0, 0])
  const steps = (tracks: number) => {
    const bytes = Buffer.concat([head, many(tracks, track), many(5_000, block)])
    return countSteps(() => audioSeconds(bytes, bytes.length))
  }
  expect(steps(5_000)).toBeLessThan(1_000_000)
  // It does count: a walk over each block is in it.
  expect(steps(3)).toBeGreaterThan(5_000)
})

test('hostile forms are read in a bounded number of steps', () => {
  for (const at of CASES) {
    const { body, type } = aForm(randomOf(at), Buffer.alloc(1_000))
    expect([at, countSteps(() => scanForm(body, type)) < 20_000, countSteps(() => readUploadForm(body, type)) < 5_000]).toEqual([at, true, true])
  }
})

test('a pattern of a caller is read in steps of its length', () => {
  for (const pattern of ['^((((.*)*)*)*)*!$', '(a+)+'.repeat(100), '['.repeat(900), '(|'.repeat(400)])
    expect(countSteps(() => textFor(pattern))).toBeLessThan(50_000)
})
