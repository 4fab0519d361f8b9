import type { CommandEffects } from '../../../words.ts'

const toTexts = (shown: CommandEffects, loose: readonly string[]) =>
  new Map(shown.changes.filter(({ name }) => !loose.includes(name)).map((one) => [one.name, JSON.stringify([one.before, one.after])]))

/** Names of figures that differ between two previews, except the loose ones. */
export function listMovedFigures(before: CommandEffects, now: CommandEffects, loose: readonly string[] = []): readonly string[] {
  const [old, fresh] = [toTexts(before, loose), toTexts(now, loose)]
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((name) => old.get(name) !== fresh.get(name))
}
