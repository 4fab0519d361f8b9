/** Parsed content of an article. For browser and build; contains no Markdown. */
export type ProseInline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

export type NoteKind = 'note' | 'warn' | 'soon'

export interface CodeSample {
  /** Language of the sample: curl, python, node ... The reader's last choice applies to all samples. */
  readonly id: string
  readonly label: string
  readonly code: string
}

export type ProseBlock =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly id: string; readonly text: string }
  | { readonly kind: 'paragraph'; readonly inlines: readonly ProseInline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly ProseBlock[])[] }
  | { readonly kind: 'note'; readonly note: NoteKind; readonly blocks: readonly ProseBlock[] }
  | { readonly kind: 'samples'; readonly name: string; readonly samples: readonly CodeSample[] }
  | { readonly kind: 'table'; readonly head: readonly (readonly ProseInline[])[]; readonly rows: readonly (readonly (readonly ProseInline[])[])[] }
  | { readonly kind: 'figure'; readonly name: string }
  /** A call's receipt: tokens x unit price (dollars per million); the page computes amounts and sum. */
  | { readonly kind: 'receipt'; readonly model: string; readonly lines: readonly SampleReceiptLine[] }
  /** A top-up's receipt: the page computes fee and total. */
  | { readonly kind: 'topup'; readonly amount: string; readonly percent: string; readonly rate: string }

export interface SampleReceiptLine {
  readonly line: 'input' | 'cachedInput' | 'cacheWrite5m' | 'output'
  readonly tokens: number
  readonly price: string
}

/** Metadata of an article for lists and links. */
export interface ArticleHead {
  readonly slug: string
  readonly title: string
  readonly summary: string
  /** ISO date of the last substantial change. */
  readonly updated: string
  readonly related: readonly string[]
}

export interface Article extends ArticleHead {
  readonly blocks: readonly ProseBlock[]
}

/** One searchable piece: a heading with the prose below it, until the next heading. */
export interface IndexedSection {
  /** Empty for text before the first heading. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface IndexedArticle {
  readonly slug: string
  readonly title: string
  readonly keywords: string
  readonly sections: readonly IndexedSection[]
}

export function toPlainText(inlines: readonly ProseInline[]): string {
  return inlines.map((inline) => inline.text).join('')
}

/** Headings in order, for the table of contents. */
export function listHeadings(blocks: readonly ProseBlock[]): readonly Extract<ProseBlock, { kind: 'heading' }>[] {
  return blocks.filter((block) => block.kind === 'heading')
}
