import type { Shown } from '../../../words.ts'

const texts = (shown: Shown, loose: readonly string[]) =>
  new Map(shown.changes.filter(({ name }) => !loose.includes(name)).map((one) => [one.name, JSON.stringify([one.before, one.after])]))

/** The figures that a second look shows otherwise, but for those that may move meanwhile. */
export function movedIn(before: Shown, now: Shown, loose: readonly string[] = []): readonly string[] {
  const [old, fresh] = [texts(before, loose), texts(now, loose)]
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((name) => old.get(name) !== fresh.get(name))
}
