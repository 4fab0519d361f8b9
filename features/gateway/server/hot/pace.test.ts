import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { loopPace, writeLater } from './pace.ts'
import { KEY } from './testing/fake-deps.ts'
import { SSE_HEAD, httpChunk } from './testing/fake-upstream.ts'
import { CHAT_STREAM_USAGE, openLab, rawSocket, until } from './testing/lab.ts'
import { CHAT_USAGE } from './testing/transcripts.ts'

/** Works for nearly all of so many milliseconds. */
async function toil(ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    const pause = performance.now() + 20
    while (performance.now() < pause);
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('the pace of writes', () => {
  it('is that of a full loop once it has worked for a while, slower while that is not enough, and until it rests', async () => {
    const looks: number[] = []
    const look = async (work: (ms: number) => Promise<unknown>) => {
      await work(300)
      looks.push(loopPace(Date.now()))
    }
    loopPace(Date.now())
    await look(sleep)
    for (let i = 0; i < 4; i++) await look(toil)
    for (let i = 0; i < 3; i++) await look(sleep)
    expect(looks).toEqual([0, 1, 2, 4, 4, 2, 1, 0])
  })

  it('writes once each, not before it is due, in the order of coming', async () => {
    const written: string[] = []
    const began = Date.now()
    const one = (name: string, after: number) => ({
      due: began + after,
      flush: () => void written.push(`${name}${Date.now() - began >= after ? '' : ' too soon'}`),
    })
    writeLater(one('a', 30))
    writeLater(one('b', 0))
    writeLater(one('c', 30))
    expect(written).toEqual([])
    await sleep(100)
    expect(written).toEqual(['b', 'a', 'c'])
  })

  it('what is put off while others are written gets its own time', async () => {
    let written = 0
    writeLater({ due: 0, flush: () => writeLater({ due: Date.now() + 20, flush: () => void written++ }) })
    await sleep(10)
    expect(written).toBe(0)
    await sleep(60)
    expect(written).toBe(1)
  })

  it('a stream of a full loop: the first event at once, those after it together, and the end waits for nothing', async () => {
    const lab = await openLab({ limits: { fullPaceMs: 60_000 } })
    const events = CHAT_USAGE.split(/(?<=\n\n)/)
    lab.upstream.answer = async (_seen, socket) => {
      socket.write(`${SSE_HEAD}\r\n`)
      for (const event of events) {
        socket.write(httpChunk(event))
        await sleep(30)
      }
      socket.write('0\r\n\r\n')
    }
    while (loopPace(Date.now()) === 0) await toil(100)
    let over = false
    const toiling = (async () => {
      while (!over) await toil(20)
    })()
    const body = JSON.stringify(CHAT_STREAM_USAGE)
    const socket = rawSocket(lab)
    const reads: string[] = []
    socket.on('data', (data) => reads.push(data.toString()))
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    await until(() => reads.join('').includes('[DONE]'))
    over = true
    await toiling
    expect(reads.length).toBeLessThanOrEqual(3)
    expect(reads[0]).toContain(events[0]!.trim())
    const relayed = reads
      .join('')
      .replace(/^[^]*?\r\n\r\n/, '')
      .replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, '')
    expect(relayed.trim()).toBe(CHAT_USAGE.trim())
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'completed' })
    await lab.close()
  })
})
