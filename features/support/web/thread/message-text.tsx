import { splitLinks } from '../links.ts'

/** Words of a person: drawn as text, line breaks kept, web addresses to follow in a new tab. */
export function MessageText({ text }: { readonly text: string }) {
  return (
    <p dir="auto" className="text-14 whitespace-pre-wrap">
      {splitLinks(text).map((part, index) =>
        part.href ? (
          <a key={index} href={part.href} target="_blank" rel="noopener noreferrer nofollow" className="underline underline-offset-2">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  )
}
