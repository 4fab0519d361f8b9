import { z } from 'zod'
import { parseUsd } from './money.ts'
import type { Errors } from './errors.ts'
import { LANGS, type Lang } from './languages.ts'
import { mapLangs } from './map-langs.ts'

/** Required caller: anyone, a signed-in user, or an operator. */
export type Access = 'public' | 'user' | 'operator'

/**
 * An endpoint as data: the source of its route binding, browser client, OpenAPI page, page mock and test checklist.
 * `input` is one flat object: path parameters, then the query (GET) or the body (POST).
 * `idempotency` accepts the `Idempotency-Key` header; effect and stored reply share a transaction. `required`: a repeated call would move money or
 * order something twice, so a call without the header is refused. `optional`: the state of the thing makes a repetition harmless.
 */
export interface Endpoint<I extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType, E extends string = string> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly input: I
  readonly reply: R
  readonly errors: readonly E[]
  readonly idempotency?: 'required' | 'optional'
  /** The input field that turns a query into an action: without it neither `idempotency` nor `flag` applies. */
  readonly actsWith?: string
  /** Permission that an operator needs, from the back office's catalogue. */
  readonly permission?: string
  /** Its action in /features.yaml: when switched off, the call is refused with FEATURE_OFF. */
  readonly flag?: string
  /** Refuses an operator who views the account as the customer sees it. */
  readonly inPerson?: true
  /** The browser's timeout in milliseconds; defaults to 20 000 (product.md 1.7). */
  readonly timeoutMs?: number
}

export type Contract = Readonly<Record<string, Endpoint>>
export type InputOf<E extends Endpoint> = z.output<E['input']>
export type SentOf<E extends Endpoint> = z.input<E['input']>
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>

/** Declares a feature's endpoints; error names are checked against the feature's own and the common errors. */
export function defineContract<const F extends Errors>(_errors: F) {
  return <const C extends Readonly<Record<string, Endpoint<z.ZodType, z.ZodType, keyof F & string>>>>(contract: C): C => contract
}

/** A file as a reply: bytes, or a stream of text. Pages get bytes. */
export interface FileReply {
  /** Media type with its charset. */
  readonly type: string
  readonly filename: string
  readonly body: Uint8Array<ArrayBuffer> | AsyncIterable<string>
}

/** Reply of an endpoint that sends the file itself; its refusals still come in the envelope. */
export const fileReply = z.custom<FileReply>((value) => typeof value === 'object' && value !== null && 'filename' in value && 'body' in value)

/** Reply without content. */
export const emptyReply = z.object({})

/** A dollar amount as exact decimal text, at most nine places. */
export const usdText = z.string().regex(/^-?\d{1,10}(\.\d{1,9})?$/)

/** A positive dollar amount that a user typed: ASCII digits, at most two places, no sign, no exponent. */
export const usdAmount = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,2})?$/, { abort: true })
  .refine((text) => parseUsd(text) > 0n)

export const pageInput = z.object({
  pageNum: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(999).default(20),
})

/** A page of rows on the wire (product.md 1.7). */
export function definePage<T extends z.ZodType>(row: T) {
  return z.object({ rowList: z.array(row), pageNum: z.number(), pageSize: z.number(), totalPage: z.number(), totalRecord: z.number() })
}

/** The envelope of every platform reply. */
export interface Envelope<T> {
  code: number
  msg: string
  data: T
}
export const SUCCESS = 200

export const langSchema = z.enum(LANGS)

/** An object with one value for each language. */
export const eachLangSchema = <S extends z.ZodType>(value: S): z.ZodObject<Readonly<Record<Lang, S>>> => z.object(mapLangs(() => value))
