import type { Endpoint } from './contract.ts'

/** True if a call with this input changes something, rather than only reads. In its own file, so that a page's first load carries no schemas. */
export const isMutatingCall = ({ actsWith }: Pick<Endpoint, 'actsWith'>, input: unknown): boolean =>
  actsWith === undefined || (input as Readonly<Record<string, unknown>>)[actsWith] !== undefined
