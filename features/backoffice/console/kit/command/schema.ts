/** A field of a command's input, as described by its JSON schema, and the form control for it. */
export interface InputField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'money' | 'choice' | 'choices' | 'switch' | 'instant' | 'secret' | 'json'
  readonly isRequired: boolean
  readonly options: readonly string[]
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly fallback: unknown
  /** Accepts null, which the user enters as a dash. */
  readonly isNullable: boolean
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly const?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** The value typed for null, such as no limit. */
const EMPTY_CHOICE = '-'
const MONEY_FIELDS = /^\^\\d\{1,6\}/

export function listInputFields(input: Readonly<Record<string, unknown>>): InputField[] {
  const schema = input as Schema
  return Object.entries(schema.properties ?? {}).map(([name, given]) => toInputField(name, removeNull(given), { given, schema }))
}

function toInputField(name: string, one: Schema, { given, schema }: { readonly given: Schema; readonly schema: Schema }): InputField {
  return {
    name,
    isNullable: one !== given,
    kind: resolveFieldKind(one),
    isRequired: (schema.required ?? []).includes(name),
    options: one.enum ?? one.items?.enum ?? [],
    minLength: one.minLength,
    maxLength: one.maxLength,
    fallback: given.default,
  }
}

function removeNull(one: Schema): Schema {
  if (Array.isArray(one.type)) return { ...one, type: (one.type as readonly string[]).find((type) => type !== 'null') ?? 'null' }
  const others = one.anyOf?.filter(({ type }) => type !== 'null')
  return others?.length === 1 && others.length < one.anyOf!.length ? others[0]! : one
}

function resolveFieldKind(one: Schema): InputField['kind'] {
  if (one.enum) return 'choice'
  if (one.type === 'array' && one.items?.enum) return 'choices'
  if (one.type === 'boolean') return 'switch'
  if (one.type === 'integer' || one.type === 'number') return 'number'
  if (one.type === 'string' && one.format === 'date-time') return 'instant'
  if (one.type === 'string' && one.format === 'password') return 'secret'
  if (one.type === 'string') return MONEY_FIELDS.test(one.pattern ?? '') ? 'money' : 'text'
  return 'json'
}

/** Converts the form's values into the command's input; undefined while a required value is missing, too short or invalid. */
export function buildCommandInput(fields: readonly InputField[], typed: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const input: Record<string, unknown> = {}
  for (const { name, kind, isRequired, fallback, isNullable, minLength = 0 } of fields) {
    const value = typed[name] ?? fallback
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && !value.length)
    if (isEmpty && isRequired) return undefined
    if (isEmpty) continue
    if (typeof value === 'string' && value !== EMPTY_CHOICE && value.trim().length < minLength) return undefined
    const read = isNullable && (value === null || value === EMPTY_CHOICE) ? null : parseFieldValue(kind, value)
    if (read === undefined) return undefined
    input[name] = read
  }
  return input
}

function parseFieldValue(kind: InputField['kind'], value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (kind === 'number') return /^-?\d{1,15}(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined
  if (kind === 'money') return /^\d{1,6}(\.\d{1,2})?$/.test(value.trim()) ? value.trim() : undefined
  if (kind !== 'json') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}
