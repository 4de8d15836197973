package lang

import (
	"strings"
	"unicode"
)

// maxGoAhead is the longest go-ahead, in bytes.
const maxGoAhead = 120

// goAheads are phrases that agree to what was asked, folded and without
// punctuation; "_" joins words. They may follow each other.
var goAheads = phraseSet(`
	yes yep yeah yup ya yess yea aye ok okay okey k kk sure sure_thing alright agreed agree approved approve confirmed confirm correct
	right exactly absolutely definitely certainly perfect great excellent fine good nice cool awesome lgtm continue proceed
	resume go execute apply implement do_it do_that do_this do_so do_both do_all do_them do_all_of_them do_all_three
	yes_do_it go_on go_ahead go_for_it go_with_it go_with_that go_with_this go_with_the_fix go_with_the_plan carry_on
	keep_going keep_on move_on move_ahead move_forward press_on make_it_so ship_it send_it fix_it fix_them fix_that
	fix_all fix_both apply_it apply_them run_it start start_now begin let's_go let's_do_it let's_do_that let's_do_this
	lets_go lets_do_it lets_do_that let's_start let's_proceed let's_continue sounds_good looks_good looks_good_to_go good_to_go that_works works_for_me
	all_good fair_enough of_course why_not please_do please_continue please_proceed by_all_means as_you_suggested
	as_suggested as_proposed as_you_like both both_please all_of_them all all_three i_agree i'm_fine_with_that i_approve
	implement_it implement_the_plan implement_this implement_that implement_this_plan execute_the_plan follow_the_plan
	proceed_with_it proceed_with_that proceed_with_the_plan proceed_with_the_implementation start_the_implementation
	start_implementing go_ahead_with_it go_ahead_with_that go_ahead_with_this go_ahead_with_the_plan go_ahead_with_the_fix
	go_ahead_with_the_implementation continue_with_it continue_with_that continue_with_the_plan on_it the_first
	the_first_one first_one the_second the_second_one second_one first second option_a option_b option_c option_one
	option_two option_three a b c recommended the_recommended_one your_recommendation

	ja jo jap jawohl jep klar genau gerne gern passt weiter bitte ok_weiter mach_das mach_es mach_weiter mach_mal mach
	mache_weiter mache_das bitte_weiter weiter_so in_ordnung einverstanden los leg_los los_geht's los_gehts ja_bitte
	ja_gerne alles_klar stimmt richtig natürlich perfekt super sehr_gut gut so_machen_wir_das fortfahren setze_fort

	oui ouais ouaip d'accord d'acc vas-y vas_y allez allez-y allez_y continuez c'est_bon parfait fais-le fais_le fais_ça
	bien_sûr entendu ça_marche ça_me_va tout_à_fait exact volontiers on_y_va go

	sí si vale claro adelante dale hazlo continúa continua sigue sigamos de_acuerdo perfecto bueno correcto procede
	por_supuesto está_bien esta_bien hágalo

	sim pode pode_ser pode_fazer pode_ir pode_continuar faça faz manda_ver beleza isso isso_mesmo prossiga tá_bom ta_bom
	vamos vai_em_frente segue

	sì va_bene certo procedi fallo vai avanti d'accordo perfetto vai_avanti esatto

	prima doe_maar doe_het ga_door ga_verder ga_je_gang akkoord goed tak jasne dobra dobrze dawaj kontynuuj zrób_to zgoda
	да ага ок окей хорошо ладно давай давайте продолжай продолжайте делай сделай сделай_это поехали конечно верно согласен
	так добре продовжуй роби evet tamam olur devam devam_et yap kabul ano dobře pokračuj souhlasím igen rendben folytasd
	da bine continuă ναι εντάξει συνέχισε kyllä joo jatka okej kör kör_på fortsätt fortsæt fortsett kjør jepp
	نعم أجل حسنا حسنًا حسناً تمام استمر تابع موافق بله باشه ادامه_بده כן בסדר המשך תמשיך
	हाँ हां जी जी_हाँ ठीक ठीक_है जारी_रखें करो có vâng ừ được đồng_ý tiếp_tục làm_đi ya iya oke lanjut lanjutkan setuju boleh silakan
	ใช่ ได้ ตกลง โอเค ทำเลย ต่อเลย เอาเลย ครับ ค่ะ ดีครับ ดีค่ะ

	はい うん ええ そう はい、お願いします お願いします おねがいします お願い はいお願いします 進めて 進めてください 続けて 続けてください やって やってください
	いいよ いいです いいですよ いいね オッケー オーケー おk それで それでお願いします 了解 了解です 頼む 頼みます 大丈夫 大丈夫です 実装して 実装してください

	是 是的 对 對 好 好的 好呀 好啊 可以 可以的 行 嗯 没问题 沒問題 同意 继续 繼續 请继续 請繼續 继续吧 做吧 开始 開始 开始吧 开工 执行 执行吧 确认 来吧
	就这样 按你说的做 按计划执行 要 需要 可以开始 继续做 好的继续 接着来 走起

	네 예 응 넵 그래 좋아 좋아요 좋습니다 계속 계속해 계속해줘 계속해주세요 계속_해줘 진행 진행해 진행해줘 진행해주세요 진행해_주세요 해줘 해주세요 오케이 ㅇㅇ ㄱㄱ ㅇㅋ 맞아 맞아요 부탁해 부탁해요
`)

// courtesies are words that may stand in a go-ahead without changing it.
var courtesies = set("please", "pls", "plz", "thanks", "thank", "you", "thx", "ty", "now", "then", "man", "mate", "so",
	"and", "with", "that", "just", "bitte", "danke", "merci", "stp", "svp", "gracias", "por", "favor", "obrigado",
	"grazie", "per", "favore", "пожалуйста", "спасибо", "lütfen", "proszę", "谢谢", "請", "请", "ありがとう", "감사합니다",
	"claude", "codex", "gemini", "again", "option", "options", "number", "i", "it", "too", "well", "very")

// goAheadSigns are signs that say yes.
const goAheadSigns = "👍👌✅✔✓🚀🆗💯🙏➕🏻🏼🏽🏾🏿️"

// GoAhead reports whether a prompt says no more than yes, do it or go on, in
// one of many languages, or picks an option by its number.
func GoAhead(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxGoAhead || strings.ContainsAny(text, "?？\n") {
		return false
	}
	agreed := strings.ContainsAny(text, "👍👌✅🚀🆗💯")
	text = strings.Map(func(r rune) rune {
		if r == '\'' || r == '-' {
			return r
		}
		if unicode.IsPunct(r) || unicode.IsSpace(r) || strings.ContainsRune(goAheadSigns, r) {
			return ' '
		}
		return r
	}, fold(text))
	words := strings.Fields(text)
	for i := range words {
		words[i] = strings.Trim(words[i], "-'️")
	}
	for i := 0; i < len(words); {
		switch n := longestGoAhead(words[i:]); {
		case n > 0:
			agreed = true
			i += n
		case choice(words[i]):
			agreed = true
			i++
		case courtesies[words[i]] || words[i] == "":
			i++
		default:
			return false
		}
	}
	return agreed
}

// longestGoAhead returns how many of the first words are one of goAheads.
func longestGoAhead(words []string) int {
	for n := min(len(words), 5); n > 0; n-- {
		if goAheads[strings.Join(words[:n], " ")] {
			return n
		}
	}
	return 0
}

// choice reports whether a word is the number of an option.
func choice(word string) bool {
	return len(word) == 1 && '1' <= word[0] && word[0] <= '9'
}
