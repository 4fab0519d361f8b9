import { expect, test } from 'vitest'
import { createReadiness } from './health.ts'

function aProcess() {
  let at = 100_000
  let failingSince: number | undefined
  let refusing = false
  const readiness = createReadiness({ written: () => ({ failingSince }), isRefusing: () => refusing, now: () => at })
  return {
    readiness,
    after: (ms: number) => {
      at += ms
      return readiness.ready()
    },
    fails: () => (failingSince = at),
    writes: () => (failingSince = undefined),
    refuses: (is: boolean) => (refusing = is),
  }
}

test('a node is ready while writes succeed, not after a second of failures, and again with the first success', () => {
  const { after, fails, writes, readiness } = aProcess()
  expect(readiness.ready()).toBe(true)
  fails()
  expect(after(900)).toBe(true)
  expect(after(200)).toBe(false)
  writes()
  expect(readiness.ready()).toBe(true)
})

test('a node that refuses model calls is not ready, although its probe row is written', () => {
  const { after, refuses } = aProcess()
  refuses(true)
  expect(after(100)).toBe(true)
  expect(after(1_100)).toBe(false)
  refuses(false)
  expect(after(0)).toBe(true)
})

test('a process that shuts down is not ready', () => {
  const { readiness } = aProcess()
  readiness.leave()
  expect(readiness.ready()).toBe(false)
})
