import type { ReservedCall, SettledCall } from '../../hot/deps.ts'

/** A row on its way to the database, of a call that opens or has ended. */
export type Op = OpenOp | SettleOp

export interface OpenOp {
  readonly kind: 'open'
  readonly call: ReservedCall
  readonly done: () => void
  readonly failed: (error: unknown) => void
  /** `performance.now()` when the row was handed over. */
  readonly since: number
  skipped: boolean
}
/** `closes`: the open row was written before and is deleted now. */
export interface SettleOp {
  readonly kind: 'settle'
  readonly call: SettledCall
  done: () => void
  closes: boolean
}
/** State of an opened call's row; `unsure` means it may or may not be written. `then`: its settlement, which waits for the row. */
export interface PendingOpenRow {
  state: 'queued' | 'flying' | 'written' | 'unsure'
  readonly op: OpenOp
  then: SettleOp | undefined
  /** True if a flush with it failed: it is queued for a retry, but may be written already. */
  isDoubtful: boolean
}

/** Collects the rows that a batch writes; a call settled twice is written once. */
export function collectRows(batch: readonly Op[]) {
  const opened: ReservedCall[] = []
  const settled: SettledCall[] = []
  const closed: SettledCall[] = []
  const seen = new Set<string>()
  for (const op of batch) {
    if (op.kind === 'open') {
      if (!op.skipped) opened.push(op.call)
      continue
    }
    if (!seen.has(op.call.callId)) settled.push(op.call)
    seen.add(op.call.callId)
    if (op.closes) closed.push(op.call)
  }
  return { opened, settled, closed }
}

/** Formats a settlement whose row the database refuses as JSON for manual repair; amounts are decimals. */
export const toDeadLetter = (call: SettledCall): string =>
  JSON.stringify(call, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : typeof value === 'string' ? value.replaceAll('\0', '') : value,
  )
