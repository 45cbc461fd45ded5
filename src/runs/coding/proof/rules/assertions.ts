/** The assertions in lines of tests, and how much each of them demands. */
import { isComment } from './test-cases.ts';

/** From a value that is exactly this one, over a part of it, to anything that is not nothing. */
const loose =
  /\.toBe(?:Truthy|Falsy|Defined|Undefined)\(|\.not\.toBe(?:Null|Undefined|Falsy|NaN)\(|\.not\.toThrow\(|\.toHaveBeenCalled\(|\.toBeCalled\(|\.toThrow(?:Error)?\(\s*\)|\bassert(?:True|False|IsNotNone|NotNull|IsInstance|Truthy|Raises|Throws|DoesNotThrow)\b|\bassert\.(?:ok|isOk|isTrue|isDefined|exists|True|False|NotNil|NoError|Error|NotEmpty|doesNotThrow)\(|\bt\.(?:truthy|falsy|ok|notOk|pass|true|assert)\(|\.to\.(?:be\.)?(?:ok|exist|be)\b|\bassert\s*\((?![^=<>]*[=<>]=)|\bassert!\((?![^=<>]*[=<>]=)|^\s*assert\s+(?!.*(?:[=!<>]=|[<>]|\bin\b|\bis\b))|\bEXPECT_TRUE\b|\bASSERT_TRUE\b/u;
const partial =
  /\.to(?:Match|MatchObject|Contain|ContainEqual|HaveLength|HaveProperty|BeGreaterThan\w*|BeLessThan\w*|BeCloseTo|BeInstanceOf|BeTypeOf|HaveBeenCalledTimes|Satisfy|BeNull|Throw\w*)\(|\.not\.to|\bassert(?:In|NotIn|NotEqual|Greater\w*|Less\w*|AlmostEqual|Regex|CountEqual|Contains|NotEquals|Is|IsNone)\b|\bassert\.(?:match|notEqual|notStrictEqual|notDeepEqual|include|includes|Contains|Greater|Less|InDelta|Len|throws|rejects|lengthOf|isAbove|isBelow)\(|\brequire\.\w+\(|\bt\.(?:regex|like|not|throws|match|Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\bassert_(?:ne|matches)!\(|^\s*assert\s.*(?:!=|[<>]=?|\bin\b)|\.to\.(?:include|contain|match|have|throw)|\bEXPECT_(?!TRUE|EQ)\w+|\bASSERT_(?!TRUE|EQ)\w+/u;
const exact =
  /\.to(?:Be|Equal|StrictEqual|Match(?:Inline|File)?Snapshot|MatchInlineSnapshot|HaveBeenCalledWith|HaveBeenLastCalledWith|HaveBeenNthCalledWith|HaveReturnedWith|ThrowErrorMatching\w+)\(|\bassert(?:Equals?|DictEqual|ListEqual|SetEqual|TupleEqual|Same|ArrayEquals|That)\b|\bassert\.(?:equal|strictEqual|deepEqual|deepStrictEqual|Equal|EqualValues|Exactly|partialDeepStrictEqual)\(|\bt\.(?:is|deepEqual|same|strictSame|equal|equals|snapshot)\(|\bassert_eq!\(|^\s*assert\s.*(?:==|\bis\b)|\bassert!?\s*\(.*==|\.to\.(?:deep\.)?(?:be\.)?(?:equal|eql|eq)\b|\bEXPECT_EQ\b|\bASSERT_EQ\b|\brequire\.(?:Equal|Exactly|JSONEq)\(/u;

/** Stands for any value where a value was expected. */
const anything =
  /\bexpect\.(?:any|anything|objectContaining|arrayContaining|stringContaining|stringMatching)\b|\b(?:mock\.)?ANY\b|\bmock\.Anything\b/u;

/** Demands something of a value that stands in the line itself, so it demands nothing. */
const ofItself =
  /\b(?:expect|assert(?:\.\w+)?|t\.(?:is|truthy|true|ok|pass|assert)|assert!|(?:self\.)?assertTrue|EXPECT_TRUE|ASSERT_TRUE)\s*\(\s*(?:true|True|!0|!false|1|\d+|'[^']*'|"[^"]*"|\[\]|\{\})\s*[,)]|^\s*assert\s+(?:True|1)\b|\bassert(?:_eq!|Equals?|\.(?:equal|strictEqual|deepEqual|Equal))\s*\(\s*(?:t,\s*)?(\w+)\s*,\s*\1\s*\)|\bself\.assertEqual\(\s*(\w+)\s*,\s*\2\s*\)/u;

export type Strength = 0 | 1 | 2 | 3;

/** Zero when the line holds no assertion. */
export function strengthOf(text: string): Strength {
  if (text.length > 1000 || isComment(text) || /^\s*(?:import|from|use|using|require)\b/u.test(text))
    return 0;
  if (ofItself.test(text)) return 0;
  const matched: Strength = loose.test(text)
    ? 1
    : exact.test(text) && !/\.not\./u.test(text)
      ? 3
      : partial.test(text)
        ? 2
        : 0;
  return matched === 3 && anything.test(text) ? 2 : matched;
}
