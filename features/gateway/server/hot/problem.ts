/** A request that cannot be relayed, by the field at fault; `field` is undefined when the JSON itself is. */
export interface FieldProblem {
  readonly field: string | undefined
  readonly message: string
}

export const isProblem = (value: object): value is FieldProblem => 'message' in value
