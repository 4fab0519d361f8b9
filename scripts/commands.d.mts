export interface Command {
  readonly program: string
  readonly words?: readonly string[]
  /** First words that only read. */
  readonly reads?: readonly string[]
  /** Options that make the call a change. */
  readonly acts?: readonly string[]
}
export const commands: Readonly<Record<string, Command>>
export function targetOf(name: string, rest: readonly string[]): { program: string; words: string[] } | undefined
