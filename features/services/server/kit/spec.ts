import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { Task } from './data.ts'

/**
 * Definition of a service: products, states and their work, causes and what they mean for the money.
 * The kit does the rest: orders, holds, charges, refunds, free uses, time, records, mails, the desk.
 */
export interface ServiceSpec {
  /** Name of its folder; prefix of its price keys and texts. */
  readonly name: string
  /** Its order type (`ORDER_TYPE`), unique to the service; absent if it is never sold by itself. */
  readonly orderType?: number
  /** Its flag in /features.yaml. While it is off, nothing begins; live tasks continue. */
  readonly flag?: (task: Pick<Task, 'product' | 'facts'>) => string | undefined
  /** Prices in dollars by product; the price book overrides them (`services.prices`, key `<name>.<product>`). */
  readonly prices: Readonly<Record<string, string>>
  readonly states: Readonly<Record<string, StateSpec>>
  /** First state of a task that is paid or begins free. */
  readonly first: string
  readonly causes: Readonly<Record<string, CauseSpec>>
  /**
   * True if the service is available now: its supplier, machines or files are there; defaults to always.
   * The single source for its page, the hub, the menu and all payments. Opening hours are not part of it.
   */
  readonly isOffered?: (deps: Deps, sql: Sql) => Promise<boolean>
  /** Runs in the transaction that begins the task, after the price is held. Throws to refuse: the payment is undone, or stays in the balance. */
  readonly begin?: (deps: Deps, tx: Tx, task: Task) => Promise<void>
  /** Runs in the transaction that ends the task, after its money moved: releases other resources of the task. */
  readonly ended?: (deps: Deps, tx: Tx, task: Task) => Promise<void>
  /** Number of free uses of a user in a period (empty: for life). */
  readonly quota?: (deps: Deps, sql: Sql, userId: string) => Promise<ServiceQuota>
  /** Removes what the task's calls left at the supplier, after its end. Returns false to be called again. */
  readonly giveBack?: (deps: Deps, task: Task) => Promise<boolean>
  /** Texts in both languages: `title`, `state_<state>`, `cause_<cause>`, `product_<product>`. */
  readonly texts: Readonly<Record<Lang, Readonly<Record<string, string>>>>
  /** Path of its page. */
  readonly path: string
  /** The one fact by which users recognise a task, e.g. a number or an address. Never a secret. */
  readonly glance?: (task: Pick<Task, 'id' | 'facts'>) => string
  /** Facts for operators beyond the task's own: where it runs, why it was refused. Never a secret. */
  readonly seen?: (deps: Pick<Deps, 'db'>, task: Task) => Promise<Readonly<Record<string, string>>>
  /** Funds of tasks that are paid on a card, by task id; the kit holds no money for these. */
  readonly onCard?: (sql: Sql, tasks: readonly Task[]) => Promise<ReadonlyMap<string, TaskCardFacts>>
  /** True if operators usually fulfil it, whatever its first state: pages show the desk's hours. */
  readonly byPeople?: boolean
  /** True if a live task does not block closing the account. */
  readonly endsWithAccount?: boolean
}

export interface TaskCardFacts {
  readonly last4: string
  readonly amount: Nano
  /** Amount taken by the merchant, or by us for what a supplier delivered. */
  readonly taken: Nano
}

export interface ServiceQuota {
  readonly allowed: number
  readonly period: string
}

export interface StateSpec {
  readonly phase: 'waiting' | 'using' | 'done' | 'failed'
  readonly to: readonly string[]
  /** Checks for a transition. Called outside every transaction, repeatedly, by any process. */
  readonly work?: (deps: Deps, task: Task) => Promise<TaskTransition | TaskRecheck | undefined>
  /** Timeout of the state in minutes; leads to `late`. */
  readonly within?: (deps: Deps, task: Task) => Promise<number>
  readonly late?: { readonly to: string; readonly cause: string }
  /** End of `using`, unless the transition into it set one. */
  readonly until?: (task: Task) => Date
  /** Transition when `using` expires. */
  readonly expires?: { readonly to: string; readonly cause: string }
  /** An operator fulfils this state: the task is in the desk's queue until one of these ends. */
  readonly desk?: DeskSpec
  /** Minutes after which the task is reported as waiting too long; defaults to 15. Does not change its state. */
  readonly tellAfter?: number
}

export interface DeskSpec {
  /** States that an operator may set. */
  readonly ends: readonly string[]
  /** Facts that an operator must enter to finish the task with success. */
  readonly facts?: readonly string[]
  /** Steps to take, in order, as text names (`desk_<name>`). */
  readonly steps: readonly string[]
}

/** `back`: refunds the money and the free use. `part`: refunds `TaskTransition.back`; before delivery the same as `back`. `keep`: stays charged. */
export interface CauseSpec {
  readonly money: 'back' | 'part' | 'keep'
}

/** A transition. Applied once, in one transaction, if the task is still in the same state. */
export interface TaskTransition {
  readonly to: string
  readonly cause?: string
  /** Merged into the task's facts. */
  readonly facts?: Readonly<Record<string, unknown>>
  readonly supplier?: string
  readonly supplierRef?: string
  readonly expiresAt?: Date
  /** Amount to charge of the held price; defaults to all of it. The rest is released. */
  readonly charge?: Nano
  /** Refund of a delivered task when the cause is `part`. */
  readonly back?: Nano
  /** Refund by an operator, regardless of the cause; the state may stay the same. */
  readonly giveBack?: Nano
  /** Gives back the free use, regardless of the cause. */
  readonly returnsUse?: boolean
  /** Note for operators. */
  readonly note?: string
  /** Runs in the same transaction, after everything else. */
  readonly also?: (tx: Tx, task: Task) => Promise<void>
}

/** No transition yet: check again after so many seconds. */
export interface TaskRecheck {
  readonly seconds: number
}
