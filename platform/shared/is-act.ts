import type { Endpoint } from './contract.ts'

/** Whether a call with this input does something, or only asks. In a file of its own: the first load of a page carries no schemas. */
export const isAct = ({ actsWith }: Pick<Endpoint, 'actsWith'>, input: unknown): boolean =>
  actsWith === undefined || (input as Readonly<Record<string, unknown>>)[actsWith] !== undefined
