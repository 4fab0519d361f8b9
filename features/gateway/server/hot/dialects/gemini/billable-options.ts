import { visitObjects, hasMemberValue, filterMembers, decodeShortText } from '../../json/elements.ts'
import type { Factor } from '../../deps.ts'
import { scanObject } from '../../json/scan.ts'
import type { JsonMember } from '../../json/scan.ts'
import { GEMINI_TIERS, GEMINI_TOOLS, GENERATE_FIELDS, GENERATION_CONFIG } from '../../terms/gemini.ts'
import { describeTermsRefusal, listRefusedNames } from '../../terms/terms.ts'
import type { TermsTable } from '../../terms/terms.ts'
import { MAX_TOOL_USES, NO_BILLABLE_OPTIONS } from '../billable-options.ts'
import type { BillableOptionRules, BillableTool } from '../billable-options.ts'
import type { FieldProblem } from '../../problem.ts'

/** proto3 JSON accepts both spellings. */
export const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const toCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
const listBothSpellings = (names: readonly string[]): readonly string[] => [...new Set(names.flatMap((name) => [name, toSnakeCase(name)]))]

/** Maximum number of all tools together: the vendor has a dozen kinds, and accepts at most a few hundred functions. */
const MAX_NAMES = 1_000

const REFUSED = listBothSpellings(listRefusedNames(GENERATE_FIELDS))
const CONFIG = listBothSpellings(['generationConfig'])
const CONFIG_REFUSED = listBothSpellings(listRefusedNames(GENERATION_CONFIG))
const TIER = listBothSpellings(['serviceTier'])

export const geminiOptionRules: BillableOptionRules = {
  wanted: [...TIER, 'tools', ...REFUSED],
  read(body, members) {
    const refused = findRefusedMember(body, members, GENERATE_FIELDS, REFUSED) ?? findRefusedInConfig(body, members)
    if (refused !== undefined) return refused
    const factors: Factor[] = []
    for (const range of filterMembers(body, members, ...TIER)) {
      const tier = decodeShortText(body, range)?.toLowerCase()
      if (tier === undefined || !Object.hasOwn(GEMINI_TIERS, tier))
        return { field: 'serviceTier', message: '`serviceTier` must be `standard`, `flex` or `priority`.' }
      if (tier === 'flex' || tier === 'priority') factors.push(tier)
    }
    const tools: BillableTool[] = []
    let names = 0
    let problem: FieldProblem | undefined
    for (const list of filterMembers(body, members, 'tools'))
      visitObjects(body, list, undefined, (tool) => {
        names += tool.length
        if (names > MAX_NAMES) problem ??= { field: 'tools', message: `\`tools\` has more than the ${MAX_NAMES} fields accepted here.` }
        for (const member of tool) {
          // The first unsold tool refuses them all.
          if (problem !== undefined) return false
          if (!hasMemberValue(body, member)) continue
          const { key } = member
          const name = toCamelCase(key)
          const message = describeTermsRefusal(
            Object.hasOwn(GEMINI_TOOLS, name) ? GEMINI_TOOLS[name] : { refused: 'is not sold here. Leave it out of `tools`.' },
            key,
          )
          if (message !== undefined) problem ??= { field: 'tools', message }
          if (name === 'googleMaps') tools.push({ kind: 'mapPrompts', most: 1, each: 1 })
          if (name.startsWith('googleSearch')) tools.push({ kind: 'webSearches', most: MAX_TOOL_USES, each: 1 }, { kind: 'groundedPrompts', most: 1, each: 1 })
        }
      })
    return problem ?? (factors.length === 0 && tools.length === 0 ? NO_BILLABLE_OPTIONS : { ...NO_BILLABLE_OPTIONS, factors, tools })
  },
}

function findRefusedMember(body: Buffer, members: readonly JsonMember[], table: TermsTable, names: readonly string[]): FieldProblem | undefined {
  const found = filterMembers(body, members, ...names)[0]
  const message = found === undefined ? undefined : describeTermsRefusal(table[toCamelCase(found.key)], found.key)
  return message === undefined ? undefined : { field: found!.key, message }
}

function findRefusedInConfig(body: Buffer, members: readonly JsonMember[]): FieldProblem | undefined {
  for (const config of filterMembers(body, members, ...CONFIG)) {
    const found: JsonMember[] = []
    scanObject(body, config.start, config.end, CONFIG_REFUSED, found)
    const refused = findRefusedMember(body, found, GENERATION_CONFIG, CONFIG_REFUSED)
    if (refused !== undefined) return refused
  }
  return undefined
}
