import type { Sql } from './database/db.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Parts of a feature's description that know nothing of the rest. */

export interface RawRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly ip: string
  readonly requestId: string
}
export interface RawReply {
  readonly status: number
  readonly type: string
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** Hosts outside this site that pages may reach, or be framed by, by directive of the content security policy. */
export type PageSources = Readonly<
  Partial<
    Record<
      'script-src' | 'style-src' | 'img-src' | 'font-src' | 'connect-src' | 'frame-src' | 'media-src' | 'worker-src' | 'frame-ancestors',
      readonly string[]
    >
  >
>

/** A table on `/sandbox`, newest row first. */
export interface SandboxPanel {
  readonly title: string
  readonly about: string
  /** Lower ones come first; 1 unless told. */
  readonly order?: number
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | { readonly text: string; readonly href: string })[])[]
  /** A list below the rows: what can be tried, each with its sign. */
  readonly hints?: { readonly title: string; readonly items: readonly (readonly [string, string])[] }
}

/** Why an account cannot be closed yet: a sentence in the caller's language, and the page where it is settled. */
export interface Blocker {
  readonly code: string
  readonly text: string
  readonly path: string
}

/** Of the signed-in user, kept by features that the accounts do not know. */
export interface UserFacts {
  /** Dollars in the account, decimal text. */
  readonly balance?: string
  /** Number of the card in use. */
  readonly cardNo?: string
}

/** A column whose values are sealed under the installation's key (seal.ts), to be sealed anew when it changes. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The table's key, a text. */
  readonly id: string
  /** The column that is bound in. */
  readonly owner: string
  readonly purpose: string
  /** What else in the row is made with the key from the opened text. */
  readonly beside?: (secretKey: Buffer, owner: string, text: string) => Readonly<Record<string, Buffer>>
}

/** A hash made with the installation's key from what only a user knows: it waits under the key it was made with until the user comes. */
export interface KeyedRows {
  readonly name: string
  /** How many there are by `keyId`, hex; '' where the key is not known. */
  readonly countByKey: (sql: Sql) => Promise<readonly { readonly key: string; readonly rows: number }[]>
}

/** What we have at a supplier or channel that says so; it throws where it cannot be asked. */
export interface BalanceSource {
  /** `numbers:five-sim`; its first part is the feature's name. */
  readonly id: string
  /** By currency, ISO 4217; in billionths of its unit. */
  readonly read: () => Promise<readonly { readonly currency: string; readonly amount: Nano }[]>
}

/** A certificate that a feature depends on, and how long it lasts. */
export interface CertificateFact {
  readonly name: string
  readonly issuer: string
  readonly expiresAt: Date
}

/** A figure that a command changes or that decides about it; money as decimal text. Never a contact, a secret or card data. */
export type Fact = string | number | boolean | null
export type Facts = Readonly<Record<string, Fact>>

/** What the rules ask about a command: how much money it moves, in nano-dollars, and whose. */
export interface Weight {
  readonly amount?: Nano
  readonly userId?: string
  /** How many things it touches; one unless told. */
  readonly rows?: number
}
