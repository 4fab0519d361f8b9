import { READ_ONLY_STATE } from '#platform/server/database/sessions.ts'

/** SQLSTATE classes that do not concern the rows: the database is unavailable, restarting or full, or another transaction interfered. */
const TRANSIENT_CLASSES = new Set(['08', '40', '53', '55', '57', '58'])
/** Another transaction interfered: the database itself accepts rows. */
const CONFLICT_CLASSES = new Set(['40', '55'])

export function isTransientWriteError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return false
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return true
  // The same call is being settled elsewhere at this moment: the retry sees its row.
  if (isAlreadyWritten(error) || code === READ_ONLY_STATE) return true
  return code.length === 5 && !code.startsWith('E') ? TRANSIENT_CLASSES.has(code.slice(0, 2)) : true
}

/** True if the database accepts no rows: it is unreachable, hung, full or read-only. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isTransientWriteError(error) && !isAlreadyWritten(error) && !(typeof code === 'string' && CONFLICT_CLASSES.has(code.slice(0, 2)))
}

/** True if a call of the flush already has a usage row. */
export function isAlreadyWritten(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && String(constraint).startsWith('gateway_usage')
}

/** True if the open row of the flush was written by an attempt whose reply was lost. */
export function isAlreadyOpened(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === 'gateway_calls_pkey'
}

/**
 * Times out a write, because a connection that never replies is as good as lost. A delayed event loop runs timers before it reads input, so
 * the reply may have arrived already.
 */
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
