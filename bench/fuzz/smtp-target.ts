import { connect } from 'node:net'
import { mailMakers } from './makers/mail.ts'
import { drawRepeatCount } from './makers/maker.ts'
import { mutateBytes } from './mutate.ts'
import type { FuzzRandom } from './random.ts'
import type { FuzzStage } from './stage.ts'
import type { FuzzInput, FuzzTarget } from './target.ts'

const ANSWER_MS = 20_000
/** Mails of up to 10 MB are accepted; slightly larger ones are refused at their end. */
const MAX_MAIL_BYTES = 11_000_000
const RUNS = [
  'a',
  ' ',
  '.',
  '\r\n.',
  '\r\n..',
  '\n.\n',
  '\r',
  '\n',
  '\r\n',
  '\r\n.\r',
  '<',
  '@',
  '"',
  'A'.repeat(998) + '\r\n',
  'NOOP\r\n',
  'RSET\r\n',
  'HELP\r\n',
  'BDAT 1\r\n',
]

/** One SMTP dialogue: each step is sent after the reply to the previous one. `address` is an existing mailbox. */
function steps(random: FuzzRandom): readonly Buffer[] {
  const run = (most: number): string => {
    const piece = random.pick(RUNS)
    return piece.repeat(drawRepeatCount(random, piece.length, most))
  }
  const line = (text: string): Buffer => Buffer.from(`${text}\r\n`, 'latin1')
  const hostile = (most: number): Buffer => line(random.pick(['', 'EHLO ', 'MAIL FROM:<', 'RCPT TO:<', 'AUTH PLAIN ', 'XCLIENT ', 'VRFY ']) + run(most))
  const made = random.pick(mailMakers).make(random)
  const data = random.once(2) ? Buffer.from(run(MAX_MAIL_BYTES), 'latin1') : random.once(2) ? mutateBytes(random, made, MAX_MAIL_BYTES) : made
  const end = Buffer.from('\r\n.\r\n')
  return [
    random.once(6) ? hostile(1_000_000) : line('EHLO mail.sender.example'),
    random.once(6) ? hostile(1_000_000) : line('MAIL FROM:<noreply@sender.example>'),
    random.once(6) ? hostile(1_000_000) : line('RCPT TO:<address>'),
    line('DATA'),
    Buffer.concat([data.subarray(0, MAX_MAIL_BYTES), end]),
    random.once(3) ? hostile(10_000_000) : line('QUIT'),
  ]
}

/** Runs a dialogue to its end, or until it is refused. */
async function runDialogue(stage: FuzzStage, said: readonly Buffer[]): Promise<void> {
  const address = await stage.mailbox()
  await new Promise<void>((done) => {
    const socket = connect(stage.smtpPort, '127.0.0.1')
    let next = 0
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => done())
    socket.on('data', (answer: Buffer) => {
      if (next > 0 && answer.toString('latin1').startsWith('421')) return socket.destroy()
      const step = said[next++]
      if (step === undefined) return socket.destroy()
      socket.write(step.length < 100 ? Buffer.from(step.toString('latin1').replace('<address>', `<${address}>`), 'latin1') : step)
    })
  })
}

export function createSmtpTarget(stage: FuzzStage): FuzzTarget {
  return {
    name: 'dialogue of SMTP',
    stop: () => stage.stop(),
    make(random): FuzzInput {
      const said = steps(random)
      return {
        what: said.map((step) => step.toString('latin1', 0, 20).replace(/\s+/g, ' ')).join('| '),
        bytes: said.reduce((sum, { length }) => sum + length, 0),
        feed: () => runDialogue(stage, said),
      }
    },
  }
}
