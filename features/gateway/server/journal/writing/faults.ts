import { READ_ONLY_STATE } from '#platform/server/database/sessions.ts'

/** Errors that say nothing about the rows: the database is away, restarting, full, or another transaction was in the way. */
const PASSING_CLASSES = new Set(['08', '40', '53', '55', '57', '58'])
/** Another transaction was in the way: the database itself takes rows. */
const IN_THE_WAY = new Set(['40', '55'])

export function isPassing(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return false
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return true
  // The same call settled elsewhere at this very moment: its row is seen at the next try.
  if (isWritten(error) || code === READ_ONLY_STATE) return true
  return code.length === 5 && !code.startsWith('E') ? PASSING_CLASSES.has(code.slice(0, 2)) : true
}

/** The database takes nothing: it is away, hung, full or read-only. */
export function isAway(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isPassing(error) && !isWritten(error) && !(typeof code === 'string' && IN_THE_WAY.has(code.slice(0, 2)))
}

/** A call of the flush has its usage row already. */
export function isWritten(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && String(constraint).startsWith('gateway_usage')
}

/** The open row of the flush was written by a try whose reply was lost. */
export function isOpened(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === 'gateway_calls_pkey'
}

/** A connection that never answers is as good as lost. A loop that was held up finds its timers before what has come in: the answer may be there. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
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
