/** Briefs with lists under headings that ask for nothing: where in the draft they have to stand. */
export const notedBriefs = {
  '21-constraints': {
    title: 'Resize images on upload',
    requirements: ['1. scale an image down to 1600 pixels', '2. keep the original for a day'],
    criteria: ['- [ ] scale an image down to 1600 pixels', '- [ ] keep the original for a day'],
    more: {
      'Further Notes': [
        '> Constraints:',
        '>',
        '> - Node 20 and newer',
        '> - an upload takes at most two seconds',
        '> Stakeholders:',
        '>',
        '> - the shop team',
      ],
    },
  },
  '22-german-notes': {
    title: 'Rechnungen als PDF',
    requirements: [
      '1. ein Knopf auf der Rechnungsseite',
      '2. der Name der Datei enthält die Rechnungsnummer',
    ],
    criteria: [
      '- [ ] ein Knopf auf der Rechnungsseite',
      '- [ ] der Name der Datei enthält die Rechnungsnummer',
    ],
    more: {
      'Further Notes': [
        '> Rahmenbedingungen:',
        '>',
        '> - die Schrift liegt im Projekt',
        '> - A4 und hochkant',
        '> Hinweise:',
        '>',
        '> - das Logo gibt es als SVG',
      ],
    },
  },
  '23-bold-headings': {
    title: 'Rate limit for the public API',
    requirements: ['1. a client gets 100 requests a minute', '2. the answer says when to come back'],
    criteria: ['- [ ] a client gets 100 requests a minute', '- [ ] the answer says when to come back'],
    more: {
      'Further Notes': [
        '> **Numbers**',
        '>',
        '> - 40 clients in a normal week',
        '> - 2 of them send 90 percent',
        '> **Background**',
        '>',
        '> - the outage of 3 March',
      ],
    },
  },
  '24-known-sections': {
    title: 'Search in the archive',
    requirements: ['1. find words in titles', '2. find words in texts'],
    criteria: ['- [ ] find words in titles', '- [ ] find words in texts'],
    more: {
      'Technical Approach': ['- the index is built at night'],
      'Testing Notes': ['- the archive of 2019 is a good sample'],
      'Files to Create/Modify': ['- src/archive/index.ts'],
      'Further Notes': [],
    },
  },
  '25-asking-notes': {
    title: 'Import contacts',
    requirements: ['1. read a vCard file', '2. show how many were read'],
    criteria: ['- [ ] read a vCard file', '- [ ] show how many were read'],
    questions: [
      '- [ ] Open points:',
      '  > - which version of vCard?',
      '- [ ] Limits:',
      '  > - not sure about photos',
    ],
    more: { 'Further Notes': ['> Formats:', '>', '> - vCard 3.0', '> - UTF-8'] },
  },
};
