import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { Task } from './data.ts'

/**
 * A service as data. What it sells, its states and what each of them waits for, why it ends and what that means for the money. The kit
 * does the rest: orders, holds, charges, refunds, free uses, time, records, mails, the desk.
 */
export interface ServiceSpec {
  /** Its folder's name; prefix of its price rows and texts. */
  readonly name: string
  /** Its order type (`ORDER_TYPE`); absent: never sold alone. One service a type. */
  readonly orderType?: number
  /** Its switch in /features.yaml; off, nothing begins. What has begun goes on. */
  readonly flag?: (task: Pick<Task, 'product' | 'facts'>) => string | undefined
  /** Dollars by product, unless the price book (`services.prices`, key `<name>.<product>`) says otherwise. */
  readonly prices: Readonly<Record<string, string>>
  readonly states: Readonly<Record<string, StateSpec>>
  /** Where a task goes once it is paid, or begins free. */
  readonly first: string
  readonly causes: Readonly<Record<string, CauseSpec>>
  /**
   * Whether it can be had now: its supplier, machines or files are there. Absent: always. The one source for its page, the hub, the menu
   * and everything that takes money. People's hours are no part of it.
   */
  readonly isOffered?: (deps: Deps, sql: Sql) => Promise<boolean>
  /** Runs in the transaction that begins it, after the money is held. Throws to refuse it: the payment is undone, or stays in the balance. */
  readonly begin?: (deps: Deps, tx: Tx, task: Task) => Promise<void>
  /** Runs in the transaction that ends it, well or badly, after its money moved: what else was kept for it ends with it. */
  readonly ended?: (deps: Deps, tx: Tx, task: Task) => Promise<void>
  /** How many free uses a user has in a period ('' for ever). */
  readonly quota?: (deps: Deps, sql: Sql, userId: string) => Promise<Quota>
  /** Gives back what stands at the supplier after the end, by the calls that were meant. False: not yet, ask again. */
  readonly giveBack?: (deps: Deps, task: Task) => Promise<boolean>
  /** Names: `title`, `state_<state>`, `cause_<cause>`, `product_<product>`. In both languages. */
  readonly texts: Readonly<Record<Lang, Readonly<Record<string, string>>>>
  /** Where its page is. */
  readonly path: string
  /** The one fact by which its owner knows a task at a glance: a number, an address. Nothing secret. */
  readonly glance?: (task: Pick<Task, 'id' | 'facts'>) => string
  /** What operators see of it beside its facts: where it runs, what it was refused. Nothing secret. */
  readonly seen?: (deps: Pick<Deps, 'db'>, task: Task) => Promise<Readonly<Record<string, string>>>
  /** Its money, where the kit holds none of it because it is kept on a card, by task. */
  readonly onCard?: (sql: Sql, tasks: readonly Task[]) => Promise<ReadonlyMap<string, OnCard>>
  /** People do it as a rule, whatever state it begins in: pages say the desk’s hours. */
  readonly byPeople?: boolean
  /** Does not hinder closing the account while it waits or is used. */
  readonly endsWithAccount?: boolean
}

export interface OnCard {
  readonly last4: string
  readonly amount: Nano
  /** What the merchant took of it, or the house for what a supplier delivered. */
  readonly taken: Nano
}

export interface Quota {
  readonly allowed: number
  readonly period: string
}

export interface StateSpec {
  readonly phase: 'waiting' | 'using' | 'done' | 'failed'
  readonly to: readonly string[]
  /** Moves it on by what can be known now. Called outside every transaction, by any process, again and again. */
  readonly work?: (deps: Deps, task: Task) => Promise<Learned | Again | undefined>
  /** Minutes after which it goes on by itself. */
  readonly within?: (deps: Deps, task: Task) => Promise<number>
  readonly late?: { readonly to: string; readonly cause: string }
  /** When `using` ends, where nothing else was said on the way into it. */
  readonly until?: (task: Task) => Date
  /** Where `using` goes when its time is up. */
  readonly expires?: { readonly to: string; readonly cause: string }
  /** A person does it: it stands in the queue, and ends by one of these. */
  readonly desk?: DeskSpec
  /** Minutes after which it is told that it waits too long (15 unless told); nothing happens to it. */
  readonly tellAfter?: number
}

export interface DeskSpec {
  /** States that a person can bring it to. */
  readonly ends: readonly string[]
  /** What the person must write for a good end, kept in its facts. */
  readonly facts?: readonly string[]
  /** Text names of the steps to take, in order (`desk_<name>`). */
  readonly steps: readonly string[]
}

/** `back`: all of the money and the free use. `part`: what `Learned.back` says. `keep`: charged, whatever came of it. */
export interface CauseSpec {
  readonly money: 'back' | 'part' | 'keep'
}

/** The next state. Applied once, in one transaction, if the task is still where it was. */
export interface Learned {
  readonly to: string
  readonly cause?: string
  /** Joined to the facts. */
  readonly facts?: Readonly<Record<string, unknown>>
  readonly supplier?: string
  readonly supplierRef?: string
  readonly expiresAt?: Date
  /** Charged of what is held; all of it unless told. The rest is free again. */
  readonly charge?: Nano
  /** Given back of what was charged, where the cause says `part`. */
  readonly back?: Nano
  /** Given back by an operator's word, whatever the cause says; the state may stay the same. */
  readonly giveBack?: Nano
  /** A free use that was taken for it comes back, whatever the cause says. */
  readonly returnsUse?: boolean
  /** For operators. */
  readonly note?: string
  /** In the same transaction, after everything else. */
  readonly also?: (tx: Tx, task: Task) => Promise<void>
}

/** Nothing to tell yet. */
export interface Again {
  readonly seconds: number
}
