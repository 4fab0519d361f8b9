/** Whether an operation may change something at the supplier: a lost answer of a read is safe to repeat, one of a write is not. */
export type Effect = 'read' | 'write'

/** A port to a kind of suppliers, as the fault control, the work list and the suite of all ports know it. */
export interface SupplierPort {
  /** `payments.channel`, `numbers`: unique; the prefix is the feature. */
  readonly port: string
  /** Calls that leave this machine. Everything else of the port is local. */
  readonly operations: Readonly<Record<string, Effect>>
  /** Folders of the registry, one each. */
  readonly vendors: readonly string[]
}
