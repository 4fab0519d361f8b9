import { describe, expect, it } from 'vitest'
import { batchWrite } from './turns.ts'

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
    // a loaded machine makes turns of this loop long: one idle moment is enough
    let waited = Infinity
    for (let tries = 0; tries < 200 && waited > 1; tries++) {
      let flushed = false
      const flush = () => {
        flushed = true
      }
      batchWrite({ turns: 0, flush })
      expect(flushed).toBe(false)
      for (waited = 0; !flushed; waited++) await turns(1, 0)
    }
    expect(waited).toBe(1)
  })

  it('a busy loop ends the wait after a few turns, once for each', async () => {
    const flushed: number[] = []
    let at = 0
    for (let i = 0; i < 3; i++)
      batchWrite({
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

  it('a write gathered during a flush gets its own turn', async () => {
    let flushed = 0
    batchWrite({
      turns: 0,
      flush: () => {
        batchWrite({
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
