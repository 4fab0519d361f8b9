/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface ServicesCallsRow {
  readonly key: string
  readonly taskId: string
  readonly supplier: string
  readonly verb: string
  readonly state: 'meant' | 'answered' | 'refused'
  readonly answer: unknown
  readonly refused: string | null
  readonly tries: number
  readonly meantAt: Date
  readonly answeredAt: Date | null
}

export interface ServicesEvidenceRow {
  readonly id: bigint
  readonly taskId: string
  readonly at: Date
  readonly operatorId: string
  readonly kind: 'note' | 'reference' | 'picture'
  readonly body: string
}

export interface ServicesQuotaRow {
  readonly userId: string
  readonly service: string
  readonly period: string
  readonly used: number
}

export interface ServicesStepsRow {
  readonly id: bigint
  readonly taskId: string
  readonly at: Date
  readonly fromState: string | null
  readonly toState: string
  readonly cause: string
  readonly actor: string
  readonly note: string
}

export interface ServicesTasksRow {
  readonly id: string
  readonly service: string
  readonly userId: string
  readonly orderNo: string | null
  readonly product: string
  readonly state: string
  readonly phase: 'draft' | 'waiting' | 'using' | 'done' | 'failed'
  readonly cause: string
  readonly amount: bigint
  readonly money: 'none' | 'held' | 'charged' | 'released'
  readonly charged: bigint
  readonly chargeId: bigint | null
  readonly returned: bigint
  readonly free: 'no' | 'taken' | 'back'
  readonly freePeriod: string | null
  readonly facts: unknown
  readonly supplier: string
  readonly supplierRef: string | null
  readonly atSupplier: boolean
  readonly takenBy: string | null
  readonly takenUntil: Date | null
  readonly waitsForPerson: boolean
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly enteredAt: Date
  readonly deadlineAt: Date | null
  readonly deliveredAt: Date | null
  readonly expiresAt: Date | null
  readonly finishedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly lateToldAt: Date | null
}
