import { eachObject, isGiven, valuesOf, wordAt } from '../../json/elements.ts'
import type { Factor } from '../../deps.ts'
import { scanObject } from '../../json/scan.ts'
import type { Member } from '../../json/scan.ts'
import { GEMINI_TIERS, GEMINI_TOOLS, GENERATE_FIELDS, GENERATION_CONFIG } from '../../terms/gemini.ts'
import { refusalOf, refusedNames } from '../../terms/terms.ts'
import type { TermsTable } from '../../terms/terms.ts'
import { MOST_TOOL_USES, NO_ASKS } from '../asks.ts'
import type { AskRules, AskedTool } from '../asks.ts'
import type { FieldProblem } from '../../problem.ts'

/** proto3 JSON takes both spellings. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
const both = (names: readonly string[]): readonly string[] => [...new Set(names.flatMap((name) => [name, snake(name)]))]

/** Of all tools together: the vendor has a dozen kinds of them, and takes a few hundred functions at most. */
const MOST_NAMES = 1_000

const REFUSED = both(refusedNames(GENERATE_FIELDS))
const CONFIG = both(['generationConfig'])
const CONFIG_REFUSED = both(refusedNames(GENERATION_CONFIG))
const TIER = both(['serviceTier'])

export const geminiAsks: AskRules = {
  wanted: [...TIER, 'tools', ...REFUSED],
  read(body, members) {
    const refused = refusedIn(body, members, GENERATE_FIELDS, REFUSED) ?? refusedInConfig(body, members)
    if (refused !== undefined) return refused
    const factors: Factor[] = []
    for (const range of valuesOf(body, members, ...TIER)) {
      const tier = wordAt(body, range)?.toLowerCase()
      if (tier === undefined || !Object.hasOwn(GEMINI_TIERS, tier))
        return { field: 'serviceTier', message: '`serviceTier` must be `standard`, `flex` or `priority`.' }
      if (tier === 'flex' || tier === 'priority') factors.push(tier)
    }
    const tools: AskedTool[] = []
    let names = 0
    let problem: FieldProblem | undefined
    for (const list of valuesOf(body, members, 'tools'))
      eachObject(body, list, undefined, (tool) => {
        names += tool.length
        if (names > MOST_NAMES) problem ??= { field: 'tools', message: `\`tools\` has more than the ${MOST_NAMES} fields accepted here.` }
        for (const member of tool) {
          // The first one that is not sold refuses them all.
          if (problem !== undefined) return false
          if (!isGiven(body, member)) continue
          const { key } = member
          const name = camel(key)
          const message = refusalOf(Object.hasOwn(GEMINI_TOOLS, name) ? GEMINI_TOOLS[name] : { refused: 'is not sold here. Leave it out of `tools`.' }, key)
          if (message !== undefined) problem ??= { field: 'tools', message }
          if (name === 'googleMaps') tools.push({ kind: 'mapPrompts', most: 1, each: 1 })
          if (name.startsWith('googleSearch')) tools.push({ kind: 'webSearches', most: MOST_TOOL_USES, each: 1 }, { kind: 'groundedPrompts', most: 1, each: 1 })
        }
      })
    return problem ?? (factors.length === 0 && tools.length === 0 ? NO_ASKS : { ...NO_ASKS, factors, tools })
  },
}

function refusedIn(body: Buffer, members: readonly Member[], table: TermsTable, names: readonly string[]): FieldProblem | undefined {
  const found = valuesOf(body, members, ...names)[0]
  const message = found === undefined ? undefined : refusalOf(table[camel(found.key)], found.key)
  return message === undefined ? undefined : { field: found!.key, message }
}

function refusedInConfig(body: Buffer, members: readonly Member[]): FieldProblem | undefined {
  for (const config of valuesOf(body, members, ...CONFIG)) {
    const found: Member[] = []
    scanObject(body, config.start, config.end, CONFIG_REFUSED, found)
    const refused = refusedIn(body, found, GENERATION_CONFIG, CONFIG_REFUSED)
    if (refused !== undefined) return refused
  }
  return undefined
}
