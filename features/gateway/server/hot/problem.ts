/** A problem that prevents relaying a request, by the field at fault; `field` is undefined if the JSON itself is malformed. */
export interface FieldProblem {
  readonly field: string | undefined
  readonly message: string
}

export const isProblem = (value: object): value is FieldProblem => 'message' in value
