// Generated from the grammar of Rulewright by `python docs/generate.py`.
// To be given to StreamLanguage.define of CodeMirror 6.

const RULES = [
  ["comment", "#.*"],
  ["string", "\"[^\"\\n]*\"?"],
  ["atom", "(?<![A-Za-z0-9_.])(?:yes|no)(?![A-Za-z0-9_])"],
  ["keyword", "(?<![A-Za-z0-9_.])(?:greatest|closure|count|every|least|those|under|where|else|some|then|and|div|for|has|let|mod|not|sum|if|in|of|or)(?![A-Za-z0-9_])"],
  ["variableName.standard", "(?<![A-Za-z0-9_.])(?:places_over|directions|column_of|diagonals|distance|mirrored|occupied|opposite|piece_at|covered|topmost|around|beside|beyond|bottom|column|copies|facing|nearby|number|pieces|places|region|turned|cells|edges|empty|holds|level|owner|ports|cell|edge|ends|kind|lies|line|link|part|side|site|size|step|turn|foe|max|min|row|top|at)(?=\\()"],
  ["modifier", "(?<![A-Za-z0-9_.])(?:impossible|neighbours|direction|invariant|parameter|partition|positions|procedure|maximise|minimise|mirrored|notation|position|together|whenever|against|edition|extends|knowing|letters|pattern|players|replace|require|shuffle|slanted|terrain|wrapped|accept|action|answer|before|change|choose|define|effect|expect|fewest|format|marker|module|origin|pieces|puzzle|radius|refuse|repeat|square|themes|turned|winner|after|allow|cells|comes|edges|field|given|glyph|grade|graph|level|needs|owner|phase|plans|ports|reach|rules|score|slide|space|start|state|table|their|tiles|truth|until|while|base|best|cell|cite|cube|deal|down|draw|drop|enum|face|flow|from|game|grid|like|look|lose|loss|most|move|none|once|only|open|pile|play|rank|rest|ring|rows|rule|runs|seed|side|stop|take|this|tile|what|when|with|all|ask|end|hex|per|put|row|set|win|at|by|do|to|up|a)(?![A-Za-z0-9_(.])"],
  ["number", "(?<![A-Za-z0-9_])[0-9]+(?:x[0-9]+)*(?![A-Za-z0-9_])|(?<![A-Za-z0-9_.])x[0-9]+(?![A-Za-z0-9_(])"],
  ["variableName", "[A-Za-z0-9_]+"],
  ["operator", "\\.\\.|\\+=|\\-=|\\->|!=|:=|<=|>=|\\*|\\+|\\-|/|<|=|>"]
];

const ALL = new RegExp(RULES.map((rule) => `(${rule[1]})`).join("|"), "y");

export const rulewright = {
  name: "rulewright",
  token(stream) {
    ALL.lastIndex = stream.pos;
    const found = ALL.exec(stream.string);
    if (found === null) {
      stream.next();
      return null;
    }
    stream.pos += found[0].length;
    return RULES[found.findIndex((text, group) => group > 0 && text !== undefined) - 1][0];
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "{", "[", '"'] } },
};
