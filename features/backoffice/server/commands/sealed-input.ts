import type { Deps } from '#platform/server/feature.ts'
import type { OperatorCommand } from '#platform/server/operator-command.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import type { CommandRow } from './data.ts'

export const COMMAND_INPUT_PURPOSE = 'backoffice.command-input'

type StoredInput = Pick<CommandRow, 'input' | 'inputSealed'>

/** Splits an input for storage: readable, except for the concealed fields, which are sealed beside it. */
export function sealInput(
  { secretKey }: Pick<Deps, 'secretKey'>,
  no: string,
  { command, input }: { readonly command: OperatorCommand; readonly input: StoredInput['input'] },
): StoredInput {
  const shown = command.conceal?.(input) ?? {}
  const names = Object.keys(shown)
  if (!names.length) return { input, inputSealed: null }
  const concealed = Object.fromEntries(names.map((name) => [name, input[name]]))
  return { input: { ...input, ...shown }, inputSealed: seal(secretKey, COMMAND_INPUT_PURPOSE, { owner: no, text: JSON.stringify(concealed) }) }
}

/** Restores the original input, to run the command and never to show it. */
export function openInput({ secretKeys }: Pick<Deps, 'secretKeys'>, { no, input, inputSealed }: StoredInput & Pick<CommandRow, 'no'>): StoredInput['input'] {
  if (!inputSealed) return input
  return { ...input, ...(JSON.parse(unseal(secretKeys, COMMAND_INPUT_PURPOSE, { owner: no, sealed: inputSealed })) as StoredInput['input']) }
}
