import { readNamedSecret } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { DialExit } from './engine/dial.ts'
import type { Exit } from './engine/exits.ts'
import { proxyExits } from './settings.ts'

/** Exits that can be chosen now, the default first. */
export const listOpenExits = async (deps: Pick<Deps, 'settings'>): Promise<readonly Exit[]> => (await deps.settings.get(proxyExits)).filter(({ isOn }) => isOn)

export const translateExitName = (exit: Exit, lang: Lang): string => exit[lang]

/**
 * Exit through which tunnels of an account leave; undefined if directly from this machine. Throws if the exit was removed, rather than use
 * another than the one sold.
 */
export function resolveDialExit(exits: readonly Exit[], id: string): DialExit | undefined {
  const exit = exits.find((one) => one.id === id)
  if (!exit) throw new Error(`there is no exit ${id}`)
  return exit.url === undefined ? undefined : { url: exit.url, auth: exit.secret === undefined ? undefined : readNamedSecret(exit.secret) }
}
