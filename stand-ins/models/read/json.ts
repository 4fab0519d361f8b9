export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lenient readers: a value of another type reads as absent. */
export const obj = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
export const toList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
export const str = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
export const num = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
export const objects = (value: Json | undefined): readonly JsonObject[] => toList(value).filter(isObject)
export const strings = (value: Json | undefined): readonly string[] => toList(value).filter((item): item is string => typeof item === 'string')
