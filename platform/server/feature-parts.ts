import type { Sql } from './database/db.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Parts of a feature's description that do not depend on the other parts. */

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
  /** Lower ones come first; defaults to 1. */
  readonly order?: number
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | { readonly text: string; readonly href: string })[])[]
  /** A list below the rows: inputs to try, each with its effect. */
  readonly hints?: { readonly title: string; readonly items: readonly (readonly [string, string])[] }
}

/** Reason why an account cannot be closed yet: a sentence in the caller's language, and the page that resolves it. */
export interface Blocker {
  readonly code: string
  readonly text: string
  readonly path: string
}

/** Facts about the signed-in user from features that `account` does not depend on. */
export interface UserFacts {
  /** Dollars in the account, decimal text. */
  readonly balance?: string
  /** Number of the card in use. */
  readonly cardNo?: string
}

/** A column whose values are sealed under the installation's key (seal.ts); key rotation seals them again. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** Primary key of the table, a text. */
  readonly id: string
  /** Column bound into the seal as associated data. */
  readonly owner: string
  readonly purpose: string
  /** Other columns of the row that are derived from the plain text with the key. */
  readonly beside?: (secretKey: Buffer, owner: string, text: string) => Readonly<Record<string, Buffer>>
}

/**
 * Hashes keyed with the installation's key over a secret that only the user has: each stays under its key until the user next presents the secret.
 */
export interface KeyedRows {
  readonly name: string
  /** Number of rows by `keyId` in hex; '' if the key is unknown. */
  readonly countByKey: (sql: Sql) => Promise<readonly { readonly key: string; readonly rows: number }[]>
}

/** Reads our balance at a supplier or channel; `read` throws if the supplier cannot be reached. */
export interface BalanceSource {
  /** Such as `numbers:five-sim`; the first part is the feature's name. */
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
export type CommandFact = string | number | boolean | null
export type CommandFacts = Readonly<Record<string, CommandFact>>

/** Input of the approval rules: the amount that a command moves, in nano-dollars, and whose money it is. */
export interface ApprovalWeight {
  readonly amount?: Nano
  readonly userId?: string
  /** Number of things it touches; defaults to 1. */
  readonly rows?: number
}
