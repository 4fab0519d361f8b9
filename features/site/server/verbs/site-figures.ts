import type { Handler } from '#platform/server/feature.ts'
import type { Setting } from '#platform/server/settings.ts'
import type { siteContract } from '../../contract.ts'
import { readFigure, QUOTED } from '../../quoted-figures.ts'

/** Reads the figures that documents quote from the settings of the active features. */
export function createSiteFigures(known: readonly Setting[]): Handler<typeof siteContract.siteFigures> {
  const settings = new Map(known.map((each) => [each.key, each]))
  return async (ctx) => {
    const figures: Record<string, string> = {}
    for (const [name, quoted] of Object.entries(QUOTED)) {
      const entry = settings.get(quoted.setting)
      const figure = entry && (readFigure(await ctx.settings.get(entry), quoted) ?? readFigure(entry.fallback, quoted))
      if (figure !== undefined) figures[name] = figure
    }
    return { figures }
  }
}
