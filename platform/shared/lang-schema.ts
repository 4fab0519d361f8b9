import { z } from 'zod'
import { LANGS, type Lang } from './languages.ts'
import { mapLangs } from './map-langs.ts'

export const langSchema = z.enum(LANGS)

/** An object with one value for each language. */
export const eachLangSchema = <S extends z.ZodType>(value: S): z.ZodObject<Readonly<Record<Lang, S>>> => z.object(mapLangs(() => value))
