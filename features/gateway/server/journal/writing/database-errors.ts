import { READ_ONLY_STATE } from '#platform/server/database/sessions.ts'

/** Errors that say nothing about the rows: the database is away, restarting, full, or another transaction was in the way. */
const TRANSIENT_CLASSES = new Set(['08', '40', '53', '55', '57', '58'])
/** Another transaction was in the way: the database itself takes rows. */
const CONFLICT_CLASSES = new Set(['40', '55'])

export function isTransientWriteError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return false
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return true
  // The same call settled elsewhere at this very moment: its row is seen at the next try.
  if (isAlreadyWritten(error) || code === READ_ONLY_STATE) return true
  return code.length === 5 && !code.startsWith('E') ? TRANSIENT_CLASSES.has(code.slice(0, 2)) : true
}

/** The database takes nothing: it is away, hung, full or read-only. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isTransientWriteError(error) && !isAlreadyWritten(error) && !(typeof code === 'string' && CONFLICT_CLASSES.has(code.slice(0, 2)))
}

/** A call of the flush has its usage row already. */
export function isAlreadyWritten(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && String(constraint).startsWith('gateway_usage')
}

/** The open row of the flush was written by a try whose reply was lost. */
export function isAlreadyOpened(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === 'gateway_calls_pkey'
}

/** A connection that never answers is as good as lost. A loop that was held up finds its timers before what has come in: the answer may be there. */
export async function withWriteTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new Error('the database does not answer'))), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
