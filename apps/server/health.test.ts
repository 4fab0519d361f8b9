import { expect, test } from 'vitest'
import { createReadiness } from './health.ts'

test('ready while the database answered within five seconds; not when it is lost, nor once the process leaves', async () => {
  let at = 100_000
  let there = true
  let asked = 0
  const ask = async () => {
    asked++
    return there
  }
  const readiness = createReadiness(ask, () => at)
  expect(await readiness.ready()).toBe(true)
  there = false
  at += 4000
  expect(await readiness.ready()).toBe(true)
  at += 2000
  expect(await readiness.ready()).toBe(false)
  there = true
  at += 2000
  expect(await readiness.ready()).toBe(true)
  readiness.leave()
  expect(await readiness.ready()).toBe(false)
  expect(asked).toBe(4)
})

test('many that look at once cost the database one question a second', async () => {
  let asked = 0
  const readiness = createReadiness(async () => {
    asked++
    return true
  })
  expect(await Promise.all(Array.from({ length: 50 }, () => readiness.ready()))).toEqual(Array.from({ length: 50 }, () => true))
  expect(asked).toBe(1)
})
