/** An operation's effect at the supplier: a read whose response was lost is safe to repeat, a write is not. */
export type Effect = 'read' | 'write'

/** A port to one kind of supplier, as fault injection, the work list and the suite of all ports see it. */
export interface SupplierPort {
  /** `payments.channel`, `numbers`: unique; the prefix is the feature. */
  readonly port: string
  /** Calls that leave this machine. Every other method of the port is local. */
  readonly operations: Readonly<Record<string, Effect>>
  /** Registry folders, one per vendor. */
  readonly vendors: readonly string[]
}
