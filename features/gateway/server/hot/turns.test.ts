import { describe, expect, it } from 'vitest'
import { gather } from './turns.ts'

const work = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}
const turns = async (n: number, ms: number): Promise<void> => {
  for (let i = 0; i < n; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    work(ms)
  }
}

describe('gathering over turns of the loop', () => {
  it('an idle loop waits for nothing', async () => {
    let flushed = 0
    gather({
      turns: 0,
      flush: () => {
        flushed++
      },
    })
    expect(flushed).toBe(0)
    await turns(2, 0)
    expect(flushed).toBe(1)
  })

  it('a busy loop ends the wait after a few turns, once for each', async () => {
    const flushed: number[] = []
    let at = 0
    for (let i = 0; i < 3; i++)
      gather({
        turns: 0,
        flush: () => {
          flushed.push(at)
        },
      })
    work(1)
    for (at = 0; at < 8; at++) await turns(1, 1)
    expect(flushed).toHaveLength(3)
    expect(Math.max(...flushed)).toBeLessThanOrEqual(5)
    expect(Math.min(...flushed)).toBeGreaterThan(0)
  })

  it('what is gathered while flushing gets its own turn', async () => {
    let flushed = 0
    gather({
      turns: 0,
      flush: () => {
        gather({
          turns: 0,
          flush: () => {
            flushed++
          },
        })
      },
    })
    await turns(4, 0)
    expect(flushed).toBe(1)
    await turns(4, 0)
    expect(flushed).toBe(1)
  })
})
