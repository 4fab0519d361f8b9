import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLog } from '#platform/server/log.ts'
import { walkAudio } from '#features/gateway/server/hot/media/audio-length.ts'
import { createFormReader, runInTurns } from '#features/gateway/server/hot/body/slices.ts'
import { readDelimiter, scanForm } from '#features/gateway/server/hot/media/form.ts'
import { cleanUpload, stopCleaning } from '#features/identity/server/uploads/clean-upload.ts'
import { createMailReader } from '#features/mailbox/server/reading/reader.ts'
import { buildHostileForm } from './makers/bodies.ts'
import { documentMakers, pictureMakers } from './makers/documents.ts'
import { mailMakers } from './makers/mail.ts'
import { soundMakers } from './makers/sound.ts'
import type { FileMaker } from './makers/maker.ts'
import { mutateBytes } from './mutate.ts'
import { watchLoop } from './probe.ts'
import type { FuzzInput, FuzzTarget } from './target.ts'

const PICTURE_BYTES = 10_000_000
const MAIL_BYTES = 24_000_000

/** Reads a form as the gateway does: searches a part of it for the boundary per turn, then reads its parts. */
async function readFormInTurns(body: Buffer, type: string): Promise<unknown> {
  const reader = createFormReader(readDelimiter(type) ?? Buffer.alloc(0))
  while (reader.on(body, body.length)) await nextTurn()
  const problem = reader.problem()
  if (problem !== undefined) return problem
  reader.note(body)
  return scanForm(body, type)
}

/** Parsers fed in this process: those that run directly on the event loop, and those in children by their cost for the parent process. */
export function createLocalTargets(): { readonly targets: readonly FuzzTarget[]; readonly stop: () => Promise<void> } {
  const longest = watchLoop()
  const log = createLog('silent')
  const reader = createMailReader(log, { zoneFile: undefined })
  const stop = async () => {
    // Waits one more turn, which includes the input in the measurement.
    await new Promise((done) => setTimeout(done, 3))
    return longest()
  }
  const target = (
    name: string,
    makers: readonly FileMaker[],
    { most, feed }: { readonly most: number; readonly feed: (bytes: Buffer, own: Uint8Array<ArrayBuffer>) => unknown },
  ): FuzzTarget => ({
    name,
    stop,
    make: (random): FuzzInput => {
      const maker = random.pick(makers)
      const made = maker.make(random)
      const bytes = (random.once(2) ? made : mutateBytes(random, made, most)).subarray(0, most)
      const own = new Uint8Array(bytes)
      return { what: maker.name, bytes: own.length, feed: async () => feed(Buffer.from(own.buffer), own) }
    },
  })
  return {
    targets: [
      target('length of sound', soundMakers, { most: 25_000_000, feed: (bytes) => runInTurns(walkAudio(bytes, bytes.length)) }),
      {
        name: 'form of the gateway',
        stop,
        make: (random) => {
          const { body, type } = buildHostileForm(random, random.pick(soundMakers).make(random).subarray(0, 9_000_000))
          const bytes = random.once(2) ? body : mutateBytes(random, body)
          return { what: 'form', bytes: bytes.length, feed: () => readFormInTurns(bytes, type) }
        },
      },
      target('uploaded pictures', pictureMakers, { most: PICTURE_BYTES, feed: (file) => cleanUpload(log, { kind: 'image', file, owner: 'fuzz' }) }),
      target('uploaded documents', documentMakers, { most: PICTURE_BYTES, feed: (file) => cleanUpload(log, { kind: 'pdf', file, owner: 'fuzz' }) }),
      target('received mails', mailMakers, {
        most: MAIL_BYTES,
        feed: (_, raw) => reader.read(raw, { ip: '192.0.2.1', helo: 'x', sender: 'a@b.example', host: 'mx' }),
      }),
    ],
    stop: async () => {
      stopCleaning()
      await reader.stop()
    },
  }
}
