import { z } from 'zod'

/** The plainest value of a schema: `''`, 0, false, null, [], the first choice of an enum, and the same for each field of an object. */
function plainestValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodObject) return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, plainestValue(field as z.ZodType)]))
  const options = schema instanceof z.ZodEnum || schema instanceof z.ZodUnion ? schema.options : []
  const tried: readonly unknown[] = [null, '', 0, false, [], {}, '0', ...options]
  return tried.find((value) => schema.safeParse(value).success)
}

/** A reply for a test: the given fields, and the plainest value of every other one, so that a new field of the contract changes no test. */
export function sampleReply<S extends z.ZodObject>(schema: S, given: Partial<z.output<S>>): z.output<S> {
  return schema.parse({ ...(plainestValue(schema) as object), ...given }) as z.output<S>
}
