/** Sentences of a refusal in one language. */
export interface RefusalTexts {
  outside(topic: string, domain: string): string;
  readonly outsideReason: string;
  /** Begins a refusal within the domain; also how such an answer is recognised. */
  readonly lack: string;
  unknown(topic: string, domain: string): string;
  elsewhere(librarian: string): string;
  sure(pages: number): string;
  unsure(pages: number, omitted: number): string;
  readonly rephrase: string;
  /** @param names - Names of sections, quoted. */
  nearest(names: string): string;
  /** @param titles - Titles of pages. */
  about(titles: string): string;
}

/** Refusals by ISO 639-1. */
export const refusalTexts = {
  en: {
    outside: (topic, domain) =>
      `This question is about "${topic}", which is outside my domain. I specialize in ${domain} You might want to ask a librarian or a team that knows about it.`,
    outsideReason:
      "The question is clearly outside my configured knowledge domain: the pages do not mention its subject.",
    lack: "I don't have information about",
    unknown: (topic, domain) =>
      `I don't have information about "${topic}" in my knowledge base. My documentation covers ${domain}`,
    elsewhere: (librarian) => ` The librarian "${librarian}" may have it.`,
    sure: (pages) =>
      `Searched the whole knowledge base, ${pages} ${pages === 1 ? "page" : "pages"}, with no relevant result, so the information is very likely absent.`,
    unsure: (pages, omitted) =>
      `Searched ${pages} ${pages === 1 ? "page" : "pages"} with no result that clearly answers it${omitted === 0 ? "" : `, and ${omitted} more could not be read or were left out`}.`,
    rephrase: "Rephrase the question with terms that the pages use.",
    nearest: (names) => ` Nearest sections: ${names}.`,
    about: (titles) => ` They are about: ${titles}.`,
  },
  de: {
    outside: (topic, domain) =>
      `Diese Frage betrifft „${topic}“ und liegt außerhalb meines Gebiets. Mein Gebiet: ${domain} Bitte fragen Sie eine Stelle, die sich damit auskennt.`,
    outsideReason:
      "Die Frage liegt klar außerhalb meines Wissensgebiets: die Seiten erwähnen ihr Thema nicht.",
    lack: "Ich habe keine Informationen über",
    unknown: (topic, domain) =>
      `Ich habe keine Informationen über „${topic}“ in meiner Wissensbasis. Meine Dokumentation behandelt: ${domain}`,
    elsewhere: (librarian) => ` Der Bibliothekar „${librarian}“ hat sie vielleicht.`,
    sure: (pages) =>
      `Die ganze Wissensbasis wurde durchsucht (Seiten: ${pages}), ohne passendes Ergebnis; die Information fehlt sehr wahrscheinlich.`,
    unsure: (pages, omitted) =>
      `Durchsuchte Seiten: ${pages}, ohne ein Ergebnis, das die Frage klar beantwortet${omitted === 0 ? "" : `; ${omitted} weitere waren nicht lesbar oder ausgelassen`}.`,
    rephrase: "Formulieren Sie die Frage mit Wörtern, die auf den Seiten stehen.",
    nearest: (names) => ` Nächste Abschnitte: ${names}.`,
    about: (titles) => ` Sie behandeln: ${titles}.`,
  },
  es: {
    outside: (topic, domain) =>
      `Esta pregunta trata de «${topic}», que está fuera de mi ámbito. Mi ámbito: ${domain} Consulte a quien conozca el tema.`,
    outsideReason:
      "La pregunta está claramente fuera de mi ámbito: las páginas no mencionan su tema.",
    lack: "No tengo información sobre",
    unknown: (topic, domain) =>
      `No tengo información sobre «${topic}» en mi base de conocimiento. Mi documentación cubre: ${domain}`,
    elsewhere: (librarian) => ` El bibliotecario «${librarian}» quizá la tenga.`,
    sure: (pages) =>
      `Se buscó en toda la base de conocimiento (páginas: ${pages}) sin resultado relevante; es muy probable que la información no exista.`,
    unsure: (pages, omitted) =>
      `Páginas buscadas: ${pages}, sin un resultado que responda con claridad${omitted === 0 ? "" : `; ${omitted} más no se pudieron leer o se omitieron`}.`,
    rephrase: "Formule la pregunta con palabras que usen las páginas.",
    nearest: (names) => ` Secciones más cercanas: ${names}.`,
    about: (titles) => ` Tratan de: ${titles}.`,
  },
  fr: {
    outside: (topic, domain) =>
      `Cette question porte sur « ${topic} », hors de mon domaine. Mon domaine : ${domain} Adressez-vous à une équipe qui connaît le sujet.`,
    outsideReason:
      "La question est clairement hors de mon domaine : les pages ne mentionnent pas son sujet.",
    lack: "Je n'ai pas d'information sur",
    unknown: (topic, domain) =>
      `Je n'ai pas d'information sur « ${topic} » dans ma base de connaissances. Ma documentation couvre : ${domain}`,
    elsewhere: (librarian) => ` Le bibliothécaire « ${librarian} » l'a peut-être.`,
    sure: (pages) =>
      `Toute la base de connaissances a été parcourue (pages : ${pages}) sans résultat pertinent ; l'information est très probablement absente.`,
    unsure: (pages, omitted) =>
      `Pages parcourues : ${pages}, sans résultat qui réponde clairement${omitted === 0 ? "" : ` ; ${omitted} autres n'ont pas pu être lues ou ont été écartées`}.`,
    rephrase: "Reformulez la question avec les mots des pages.",
    nearest: (names) => ` Sections les plus proches : ${names}.`,
    about: (titles) => ` Elles traitent de : ${titles}.`,
  },
  zh: {
    outside: (topic, domain) =>
      `这个问题与“${topic}”有关，不在我的领域内。我的领域：${domain}请询问了解该主题的团队。`,
    outsideReason: "这个问题明显不在我的知识领域内：页面没有提到它的主题。",
    lack: "我没有关于",
    unknown: (topic, domain) => `我没有关于“${topic}”的信息。我的文档涵盖：${domain}`,
    elsewhere: (librarian) => `“${librarian}”也许有这方面的信息。`,
    sure: (pages) => `已搜索整个知识库（${pages} 页），没有相关结果，因此很可能没有这方面的信息。`,
    unsure: (pages, omitted) =>
      `已搜索 ${pages} 页，没有能明确回答的结果${omitted === 0 ? "" : `，另有 ${omitted} 页无法读取或被省略`}。`,
    rephrase: "请用页面中使用的词语重新提问。",
    nearest: (names) => ` 最接近的章节：${names}。`,
    about: (titles) => ` 页面主题：${titles}。`,
  },
  ja: {
    outside: (topic, domain) =>
      `この質問は「${topic}」に関するもので、私の専門分野の外です。私の専門分野：${domain} 詳しいチームにお尋ねください。`,
    outsideReason: "この質問は明らかに私の知識分野の外です。ページはその主題に触れていません。",
    lack: "情報がありません",
    unknown: (topic, domain) =>
      `「${topic}」についての情報がありません。私の文書が扱う範囲：${domain}`,
    elsewhere: (librarian) => `「${librarian}」にあるかもしれません。`,
    sure: (pages) =>
      `知識ベース全体（${pages} ページ）を検索しましたが関連する結果がなく、情報がない可能性が非常に高いです。`,
    unsure: (pages, omitted) =>
      `${pages} ページを検索しましたが、明確に答える結果はありませんでした${omitted === 0 ? "" : `（ほかに ${omitted} ページは読めないか除外されています）`}。`,
    rephrase: "ページで使われている言葉で質問し直してください。",
    nearest: (names) => ` 最も近い節：${names}。`,
    about: (titles) => ` ページの主題：${titles}。`,
  },
} as const satisfies Record<string, RefusalTexts>;

/** The sentences for a question in a language; English where there are no others. */
export function refusalTextsFor(language: string | undefined): RefusalTexts {
  const known: Readonly<Record<string, RefusalTexts | undefined>> = refusalTexts;
  return (language === undefined ? undefined : known[language]) ?? refusalTexts.en;
}
