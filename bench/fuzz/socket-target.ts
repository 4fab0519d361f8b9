import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { talkMakers } from './makers/frames.ts'
import type { SocketTalk } from './makers/frames.ts'
import type { FuzzRandom } from './random.ts'
import type { FuzzStage } from './stage.ts'
import type { FuzzInput, FuzzTarget } from './target.ts'

const ANSWER_MS = 20_000
/** Extra time for work that a frame starts and that outlasts the pong. */
const AFTER_MS = 250

/** Opens a connection, sends its frames, and waits until they are read. A refusal counts as a response. */
async function sendTalk(stage: FuzzStage, { path, frames }: SocketTalk): Promise<void> {
  const socket = new WebSocket(`${stage.url.replace('http', 'ws')}${path}`, {
    headers: { 'authorization': `Bearer ${stage.key}`, 'x-goog-api-key': stage.key },
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((done) => socket.on('close', () => done()))
  const within = (what: Promise<unknown>, ms: number): Promise<unknown> => Promise.race([what, closed, sleep(ms)])
  await within(
    once(socket, 'open').catch(() => undefined),
    ANSWER_MS,
  )
  for (const { text, fragments } of frames) {
    const piece = Math.max(1, Math.ceil(text.length / fragments))
    for (let at = 0; at < text.length && socket.readyState === socket.OPEN; at += piece)
      socket.send(text.subarray(at, at + piece), { binary: false, fin: at + piece >= text.length })
  }
  if (socket.readyState === socket.OPEN) {
    const pong = once(socket, 'pong').catch(() => undefined)
    socket.ping()
    await within(pong, ANSWER_MS)
    await within(sleep(AFTER_MS), AFTER_MS)
  }
  socket.terminate()
}

export function createSocketTarget(stage: FuzzStage): FuzzTarget {
  return {
    name: 'frames of sockets',
    stop: () => stage.stop(),
    make(random: FuzzRandom): FuzzInput {
      const made = random.pick(talkMakers)(random)
      const bytes = made.frames.reduce((sum, { text }) => sum + text.length, 0)
      return { what: `${made.name}, ${made.frames.map(({ text }) => text.toString('latin1', 0, 40)).join(' | ')}`, bytes, feed: () => sendTalk(stage, made) }
    },
  }
}
