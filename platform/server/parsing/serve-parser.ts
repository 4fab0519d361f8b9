import { MAX_HEAD_BYTES, createFrameReader, encodeFrame } from './frames.ts'

/** Reads one file. `head` holds the caller's arguments. Throws if the file's format is invalid. */
export type ParseFile = (file: Buffer, head: Readonly<Record<string, unknown>>) => Promise<{ readonly head: unknown; readonly parts?: readonly Buffer[] }>

/**
 * Reply of the child: `done` carries the result, `failed` means that the parser rejected the file. `cpuMs` is the processor time of its
 * life.
 */
export interface ParserReply {
  readonly state: 'ready' | 'done' | 'failed'
  readonly value?: unknown
  /** The error's message, truncated because it may repeat parts of the file. */
  readonly why?: string
  readonly cpuMs: number
}
export interface ParserRequest {
  readonly kind: string
  readonly head: Readonly<Record<string, unknown>>
}

const MAX_FILE_BYTES = 128 * 1024 * 1024
const MAX_REASON_CHARACTERS = 200

/** Serves parsers over standard input and output, one file at a time, until the input ends. The child's entry calls it once. */
export function serveParser(parsers: Readonly<Record<string, ParseFile>>): void {
  const output = process.stdout
  // Packages print to the console, but standard output is the channel here.
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined
  const answer = (reply: Omit<ParserReply, 'cpuMs'>, parts: readonly Buffer[] = []) => {
    const { user, system } = process.cpuUsage()
    for (const bytes of encodeFrame({ head: { ...reply, cpuMs: (user + system) / 1000 } satisfies ParserReply, parts })) output.write(bytes)
  }
  const read = createFrameReader(MAX_FILE_BYTES + MAX_HEAD_BYTES, ({ head: request, parts: [file = Buffer.alloc(0)] }) => {
    const { kind, head } = request as ParserRequest
    const parse = parsers[kind]
    if (!parse) return answer({ state: 'failed', why: `no parser ${kind}` })
    parse(file, head).then(
      ({ head: value, parts }) => answer({ state: 'done', value }, parts),
      (error: unknown) => answer({ state: 'failed', why: (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_CHARACTERS) }),
    )
  })
  process.stdin.on('data', read)
  process.stdin.on('end', () => process.exit(0))
  answer({ state: 'ready' })
}
