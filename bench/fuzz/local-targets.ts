import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLog } from '#platform/server/log.ts'
import { walkAudio } from '#features/gateway/server/hot/media/audio-length.ts'
import { formReader, runInTurns } from '#features/gateway/server/hot/body/slices.ts'
import { delimiterOf, scanForm } from '#features/gateway/server/hot/media/form.ts'
import { cleanUpload, stopCleaning } from '#features/identity/server/uploads/clean-upload.ts'
import { createReader } from '#features/mailbox/server/reading/reader.ts'
import { aForm } from './makers/bodies.ts'
import { documents, pictures } from './makers/documents.ts'
import { mails } from './makers/mail.ts'
import { sounds } from './makers/sound.ts'
import type { Maker } from './makers/maker.ts'
import { mutate } from './mutate.ts'
import { watchLoop } from './probe.ts'
import type { Input, Target } from './target.ts'

const PICTURE_BYTES = 10_000_000
const MAIL_BYTES = 24_000_000

/** As the gateway reads it: its boundary is looked for some of it a turn, then its parts are read. */
async function readForm(body: Buffer, type: string): Promise<unknown> {
  const reader = formReader(delimiterOf(type) ?? Buffer.alloc(0))
  while (reader.on(body, body.length)) await nextTurn()
  const problem = reader.problem()
  if (problem !== undefined) return problem
  reader.note(body)
  return scanForm(body, type)
}

/** Parsers fed in this process: those that run on a loop directly, and those in children by what they cost the process that starts them. */
export function localTargets(): { readonly targets: readonly Target[]; readonly stop: () => Promise<void> } {
  const longest = watchLoop()
  const log = createLog('silent')
  const reader = createReader(log, { zoneFile: undefined })
  const stop = async () => {
    // One turn more, in which what was fed is counted.
    await new Promise((done) => setTimeout(done, 3))
    return longest()
  }
  const target = (name: string, makers: readonly Maker[], most: number, feed: (bytes: Buffer, own: Uint8Array<ArrayBuffer>) => unknown): Target => ({
    name,
    stop,
    make: (random): Input => {
      const maker = random.pick(makers)
      const made = maker.make(random)
      const bytes = (random.once(2) ? made : mutate(random, made, most)).subarray(0, most)
      const own = new Uint8Array(bytes)
      return { what: maker.name, bytes: own.length, feed: async () => feed(Buffer.from(own.buffer), own) }
    },
  })
  return {
    targets: [
      target('length of sound', sounds, 25_000_000, (bytes) => runInTurns(walkAudio(bytes, bytes.length))),
      {
        name: 'form of the gateway',
        stop,
        make: (random) => {
          const { body, type } = aForm(random, random.pick(sounds).make(random).subarray(0, 9_000_000))
          const bytes = random.once(2) ? body : mutate(random, body)
          return { what: 'form', bytes: bytes.length, feed: () => readForm(bytes, type) }
        },
      },
      target('uploaded pictures', pictures, PICTURE_BYTES, (file) => cleanUpload(log, { kind: 'image', file, owner: 'fuzz' })),
      target('uploaded documents', documents, PICTURE_BYTES, (file) => cleanUpload(log, { kind: 'pdf', file, owner: 'fuzz' })),
      target('received mails', mails, MAIL_BYTES, (_, raw) => reader.read(raw, { ip: '192.0.2.1', helo: 'x', sender: 'a@b.example', host: 'mx' })),
    ],
    stop: async () => {
      stopCleaning()
      await reader.stop()
    },
  }
}
