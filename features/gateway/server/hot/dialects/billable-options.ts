import { visitObjects, filterMembers } from '../json/elements.ts'
import type { Factor, ToolClass } from '../deps.ts'
import type { JsonMember } from '../json/scan.ts'
import { describeTermsRefusal } from '../terms/terms.ts'
import type { TermsTable } from '../terms/terms.ts'
import type { FieldProblem } from '../problem.ts'

/** Parts of a request beyond plain tokens that change its price. They decide the hold; the answer decides the bill. */
export interface BillableOptions {
  /** Multipliers of the token prices, if the vendor serves the call as requested. */
  readonly factors: readonly Factor[]
  /** Uses of the vendor's own tools, each with the most that the request permits. */
  readonly tools: readonly BillableTool[]
  /** Steps on other models: fallbacks, advisors, image models behind a tool. */
  readonly steps: readonly BillableStep[]
  /** Maximum tokens of a predicted answer; rejected ones are billed as output on top of the visible answer. */
  readonly predicted: number
  /** Cache entries with a lifetime of 12 hours. */
  readonly longCache: boolean
}

export interface BillableTool {
  readonly kind: ToolClass
  readonly most: number
  /** Units that one use counts: gigabytes of a container. */
  readonly each: number
}

export interface BillableStep {
  /** undefined if the vendor chooses: priced as the vendor's most expensive model */
  readonly model: string | undefined
  readonly times: number
  /** Maximum output tokens of one such step, if not the call's. */
  readonly output: number | undefined
  /** Image tokens of one such step; undefined if it makes none. */
  readonly imageTokens: number | undefined
}

export const NO_BILLABLE_OPTIONS: BillableOptions = { factors: [], tools: [], steps: [], predicted: 0, longCache: false }

/** Uses of hosted tools included in the hold if the request sets no limit. */
export const MAX_TOOL_USES = 10

/** Claude searches up to 10,000 tools (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool); other vendors take fewer. */
const MAX_TOOLS = 10_000
/** Maximum hosted tools, or steps on other models: vendors have a dozen kinds, and each is named once. */
const MAX_PRICED = 100

/** Reads each tool of the lists until one has a problem, which is returned. */
export function visitTools(
  body: Buffer,
  lists: readonly JsonMember[],
  wanted: readonly string[],
  read: (tool: readonly JsonMember[]) => FieldProblem | undefined,
): FieldProblem | undefined {
  let count = 0
  let problem: FieldProblem | undefined
  for (const list of lists) {
    visitObjects(body, list, wanted, (tool) => {
      problem = ++count > MAX_TOOLS ? { field: 'tools', message: `\`tools\` has more than the ${MAX_TOOLS} tools accepted here.` } : read(tool)
      return problem === undefined
    })
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Returns a problem if too many uses of hosted tools, or steps on other models, are requested. */
export const checkPricedCount = (field: string, count: number): FieldProblem | undefined =>
  count > MAX_PRICED ? { field, message: `\`${field}\` has more than the ${MAX_PRICED} hosted tools or models accepted here.` } : undefined

/** Top-level fields of a request that affect its price, by dialect. */
export interface BillableOptionRules {
  /** Members to find in addition to those that the relay reads itself. */
  readonly wanted: readonly string[]
  /** Names and escapes; a body without any of them contains only text. */
  readonly telling?: RegExp
  readonly read: (body: Buffer, members: readonly JsonMember[]) => BillableOptions | FieldProblem
}

/** The first of these members that the table refuses, ignoring null. */
export function findRefusedField(body: Buffer, members: readonly JsonMember[], table: TermsTable, names: readonly string[]): FieldProblem | undefined {
  const found = filterMembers(body, members, ...names)[0]
  const message = found === undefined ? undefined : describeTermsRefusal(table[found.key], found.key)
  return message === undefined ? undefined : { field: found!.key, message }
}
