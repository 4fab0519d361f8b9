import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { sampleLoopPace, computeNextStep, scheduleWrite } from './pace.ts'
import { DRAIN_KEY, TEST_KEY } from '../testing/fake-deps.ts'
import { SSE_HEAD, formatHttpChunk } from '../testing/fake-upstream.ts'
import { CHAT_STREAM_USAGE_REQUEST, openLab, rawSocket, waitForCondition } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { CHAT_USAGE } from '../testing/transcripts.ts'

/** Keeps the loop busy for nearly all of `ms` milliseconds. */
async function burnCpu(ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    const pause = performance.now() + 20
    while (performance.now() < pause);
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('the pace of writes', () => {
  it('slows down step by step while the loop stays full, and speeds up again while it rests', async () => {
    const looks: number[] = []
    const look = async (work: (ms: number) => Promise<unknown>) => {
      await work(300)
      looks.push(sampleLoopPace(Date.now()))
    }
    sampleLoopPace(Date.now())
    await look(sleep)
    for (let i = 0; i < 6; i++) await look(burnCpu)
    for (let i = 0; i < 5; i++) await look(sleep)
    expect(looks).toEqual([0, 1, 1.5, 2, 3, 4, 4, 3, 2, 1.5, 1, 0])
  })

  it.each([
    [0, 0.84, 0],
    [0, 0.86, 1],
    [1, 0.49, 0],
    [1, 0.51, 1],
    [1, 0.91, 1],
    [1, 0.93, 2],
    [3, 0.74, 2],
    [3, 0.76, 3],
    [3, 0.93, 4],
    [5, 0.76, 5],
    [5, 1, 5],
  ])('step %i with %d of the time at work becomes step %i', (before, share, after) => {
    expect(computeNextStep(before, share)).toBe(after)
  })

  it('writes each stream once, not before it is due, in order of arrival', () => {
    const written: string[] = []
    const one = (name: string, due: number) => ({ due, flush: () => void written.push(`${name} at ${Date.now()}`) })
    vi.useFakeTimers({ now: 1_000 })
    try {
      scheduleWrite(one('a', 1_030))
      scheduleWrite(one('b', 1_000))
      scheduleWrite(one('c', 1_030))
      expect(written).toEqual([])
      vi.advanceTimersByTime(29)
      expect(written).toEqual(['b at 1004'])
      vi.advanceTimersByTime(1_000)
      expect(written).toEqual(['b at 1004', 'a at 1032', 'c at 1032'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('a write deferred during a flush gets its own time', () => {
    const written: number[] = []
    const again = () => scheduleWrite({ due: Date.now() + 20, flush: () => void written.push(Date.now()) })
    vi.useFakeTimers({ now: 1_000 })
    try {
      scheduleWrite({ due: 0, flush: again })
      vi.advanceTimersByTime(1_000)
      expect(written).toEqual([1_024])
    } finally {
      vi.useRealTimers()
    }
  })

  it('a full loop writes the first event at once, later ones together, and the end without delay', async () => {
    const { lab, stop } = await openBusyLab(1, 1_000)
    const { reads } = await readPacedStream(lab, 30)
    await stop()
    expect(reads.length).toBeLessThanOrEqual(3)
    expectWhole(reads, lab)
    await lab.close()
  })

  it('a loop still full at a slower pace does not read the upstream before the next write is due', async () => {
    // Events after the second arrive at once and stay in the kernel with the end for 200 to 400 ms. Retry if the machine stalled that long.
    for (let gap = 0; gap <= 150;) {
      const { lab, stop } = await openBusyLab(2, 100)
      const { reads, times } = await readPacedStream(lab, 1, { pauseMs: 500 })
      await stop()
      expect(reads.length).toBeLessThanOrEqual(4)
      expectWhole(reads, lab)
      await lab.close()
      gap = times.at(-1)! - times[1]!
    }
  })

  it.each([
    [TEST_KEY, 'estimated'],
    [DRAIN_KEY, 'upstream'],
  ])('a client that leaves while its upstream is not read is charged as usual: %s, %s', async (key, provenance) => {
    const { lab, stop } = await openBusyLab(2, 100)
    const { socket } = await readPacedStream(lab, 1, { key, pauseMs: 500, until: (reads) => reads.length > 1 })
    socket.destroy()
    await waitForCondition(() => lab.journal.settled.length === 1)
    await stop()
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance })
    await lab.close()
  })
})

const EVENTS = CHAT_USAGE.split(/(?<=\n\n)/)

/** Opens a relay in a busy event loop, once its pace is at least `times`. */
async function openBusyLab(times: number, fullPaceMs: number) {
  const lab = await openLab({ limits: { fullPaceMs } })
  while (sampleLoopPace(Date.now()) < times) await burnCpu(100)
  let over = false
  const toiling = (async () => {
    while (!over) await burnCpu(20)
  })()
  return {
    lab,
    stop: async () => {
      over = true
      await toiling
    },
  }
}

/** Requests a stream whose events arrive `gapMs` apart, the second `pauseMs` later, and reads until `until`, else to its end. */
async function readPacedStream(
  lab: Lab,
  gapMs: number,
  { key = TEST_KEY, pauseMs = 0, until: enough = (reads: readonly string[]) => reads.join('').includes('[DONE]') } = {},
) {
  lab.upstream.answer = async (_seen, upstream) => {
    upstream.write(`${SSE_HEAD}\r\n`)
    for (const [n, event] of EVENTS.entries()) {
      upstream.write(formatHttpChunk(event))
      await sleep(n === 0 ? gapMs + pauseMs : gapMs)
    }
    upstream.write('0\r\n\r\n')
  }
  const body = JSON.stringify(CHAT_STREAM_USAGE_REQUEST)
  const socket = rawSocket(lab)
  const reads: string[] = []
  const times: number[] = []
  socket.on('data', (data) => {
    reads.push(data.toString())
    times.push(performance.now())
  })
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  await waitForCondition(() => enough(reads))
  return { socket, reads, times }
}

function expectWhole(reads: readonly string[], lab: Lab): void {
  expect(reads[0]).toContain(EVENTS[0]!.trim())
  const relayed = reads
    .join('')
    .replace(/^[^]*?\r\n\r\n/, '')
    .replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, '')
  expect(relayed.trim()).toBe(CHAT_USAGE.trim())
  expect(lab.journal.settled[0]).toMatchObject({ outcome: 'completed' })
}
