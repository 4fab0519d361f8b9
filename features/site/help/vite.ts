import { basename, dirname, join } from 'node:path'
import { readFileSync, readdirSync } from 'node:fs'
import type { Plugin } from 'vite'
import { indexArticle } from './index-text.ts'
import { parseArticle } from './parse.ts'
import { readCodeSamples, SAMPLES_FOLDER } from './read.ts'

const ARTICLE = /\/features\/site\/(?:help\/content|legal)\/\w+\/[a-z0-9-]+\.md$/

/**
 * Compiles articles during the build of the pages: `x.md` is the article, `x.md?head` its data for lists, `x.md?search` the data for the
 * search index of all articles in its folder. A mistake in an article fails the build.
 */
export function helpArticles(): Plugin {
  return {
    name: 'help-articles',
    enforce: 'pre',
    load(id) {
      const [file = '', query] = id.split('?')
      if (!ARTICLE.test(file)) return undefined
      const read = (path: string) => {
        this.addWatchFile(path)
        return parseArticle(basename(path, '.md'), readFileSync(path, 'utf8'), (name) => {
          for (const sample of readdirSync(SAMPLES_FOLDER)) if (sample.startsWith(`${name}.`)) this.addWatchFile(`${SAMPLES_FOLDER}/${sample}`)
          return readCodeSamples(name)
        })
      }
      const { keywords: _, blocks, ...head } = read(file)
      const folder = dirname(file)
      const articles = () => readdirSync(folder).filter((name) => name.endsWith('.md'))
      const value = query === 'head' ? head : query === 'search' ? articles().map((name) => indexArticle(read(join(folder, name)))) : { ...head, blocks }
      return { code: `export default ${JSON.stringify(value)}`, map: null }
    },
  }
}
